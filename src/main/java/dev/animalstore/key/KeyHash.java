package dev.animalstore.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 of a secret, as four words, which compare and hash faster than an array of bytes. A plain hash is enough, because a secret has
 * 190 random bits and cannot be guessed.
 */
public record KeyHash(long first, long second, long third, long fourth) {
    /** One per thread, since a look-up of the algorithm costs more than the hash. */
    private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(KeyHash::sha256);

    static KeyHash of(String text) {
        ByteBuffer digest = ByteBuffer.wrap(SHA_256.get().digest(text.getBytes(StandardCharsets.ISO_8859_1)));
        return new KeyHash(digest.getLong(), digest.getLong(), digest.getLong(), digest.getLong());
    }

    /** The 32 bytes, as the database stores them. */
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
