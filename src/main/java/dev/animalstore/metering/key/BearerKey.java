package dev.animalstore.metering.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * A well-formed secret as a client sends it: {@code <prefix>_<env>_<random><check>}, with 32 random base62 characters (190 bits) and a check of
 * 6 base62 characters, the CRC-32 of everything before it. The check finds typing errors, and keys in leaked files, without a look-up; only
 * the random part makes a secret safe.
 *
 * <p>{@link #toString()} shows the {@link #hint()} only.
 */
public final class BearerKey {
    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int SECRET_LENGTH = 32;
    private static final int CHECK_LENGTH = 6;
    private static final int HINT_LENGTH = 4;

    /** The deployment that a key is for. It is part of every secret, so another deployment refuses the secret without a look-up. */
    public enum Environment {
        LIVE,
        TEST
    }

    private final byte[] text;

    private BearerKey(byte[] text) {
        this.text = text;
    }

    /** How all secrets of a deployment start, such as {@code ask_live_}. */
    public static String start(KeyConfig config) {
        return config.prefix() + "_" + config.environment().name().toLowerCase(Locale.ROOT) + "_";
    }

    /** Parses a secret; empty if it is not well-formed or has another {@link #start}. Does no I/O. */
    public static Optional<BearerKey> parse(String text, String start) {
        int checkStart = start.length() + SECRET_LENGTH;
        if (text.length() != checkStart + CHECK_LENGTH || !text.startsWith(start)) {
            return Optional.empty();
        }
        for (int i = start.length(); i < checkStart; i++) {
            if (!isBase62(text.charAt(i))) {
                return Optional.empty();
            }
        }
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        byte[] check = check(bytes, checkStart);
        return Arrays.equals(bytes, checkStart, bytes.length, check, 0, CHECK_LENGTH)
                ? Optional.of(new BearerKey(bytes))
                : Optional.empty();
    }

    /** A new secret, drawn from {@code random}. */
    public static BearerKey generate(String start, SecureRandom random) {
        StringBuilder secret = new StringBuilder(SECRET_LENGTH);
        for (int i = 0; i < SECRET_LENGTH; i++) {
            secret.append(BASE62.charAt(random.nextInt(BASE62.length())));
        }
        return of(start, secret.toString());
    }

    /** A secret with a given random part of 32 base62 characters. */
    public static BearerKey of(String start, String secret) {
        String unchecked = start + secret;
        byte[] bytes = unchecked.getBytes(StandardCharsets.ISO_8859_1);
        String check = new String(check(bytes, bytes.length), StandardCharsets.ISO_8859_1);
        return parse(unchecked + check, start)
                .orElseThrow(() -> new IllegalArgumentException("A secret must be 32 base62 characters."));
    }

    public KeyHash hash() {
        return KeyHash.of(KeyHash.SHA_256.get().digest(text));
    }

    /** The last four characters of the random part: enough for an owner to tell secrets apart, and of no use to an attacker. */
    public String hint() {
        return new String(text, text.length - CHECK_LENGTH - HINT_LENGTH, HINT_LENGTH, StandardCharsets.ISO_8859_1);
    }

    /** The whole secret, for the one time that it is shown to its owner. */
    public String reveal() {
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        return "BearerKey[…" + hint() + "]";
    }

    private static boolean isBase62(char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    private static byte[] check(byte[] text, int length) {
        CRC32 crc = new CRC32();
        crc.update(text, 0, length);
        byte[] digits = new byte[CHECK_LENGTH];
        long rest = crc.getValue();
        for (int i = CHECK_LENGTH - 1; i >= 0; i--) {
            digits[i] = (byte) BASE62.charAt((int) (rest % BASE62.length()));
            rest /= BASE62.length();
        }
        return digits;
    }

    /**
     * SHA-256 of a secret, as four words, which compare and hash faster than an array of bytes. A plain hash is enough, because a secret has
     * 190 random bits and cannot be guessed.
     */
    public record KeyHash(long first, long second, long third, long fourth) {
        /** One per thread, since a look-up of the algorithm costs more than the hash. */
        private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(KeyHash::sha256);

        /** The hash of 32 bytes, as the database stores them. */
        static KeyHash of(byte[] bytes) {
            ByteBuffer words = ByteBuffer.wrap(bytes);
            return new KeyHash(words.getLong(), words.getLong(), words.getLong(), words.getLong());
        }

        public byte[] bytes() {
            return ByteBuffer.allocate(4 * Long.BYTES)
                    .putLong(first)
                    .putLong(second)
                    .putLong(third)
                    .putLong(fourth)
                    .array();
        }

        private static MessageDigest sha256() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Every Java platform supports SHA-256.", e);
            }
        }
    }
}
