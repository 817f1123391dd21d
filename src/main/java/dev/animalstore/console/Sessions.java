package dev.animalstore.console;

import dev.animalstore.admin.OperatorToken;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs sessions and checks them. What is signed is the session's name and end, by HMAC-SHA-256 with a key that is derived from the
 * operators' token, so no replica has to know of the sessions of another. Those that were ended early are rows in PostgreSQL.
 */
@Singleton
class Sessions {
    /** How long a session lasts. */
    static final Duration LENGTH = Duration.ofHours(8);

    private static final int ID_BYTES = 16;
    private static final Pattern SEALED = Pattern.compile("([A-Za-z0-9_-]{22})\\.([0-9]{1,11})\\.([A-Za-z0-9_-]{43})");

    private final OperatorToken token;
    private final Clock clock;

    Sessions(OperatorToken token, Clock clock) {
        this.token = token;
        this.clock = clock;
    }

    /** Begins a session. */
    Session open() {
        byte[] id = new byte[ID_BYTES];
        new SecureRandom().nextBytes(id);
        return new Session(base64(id), clock.instant().plus(LENGTH).truncatedTo(ChronoUnit.SECONDS));
    }

    /** The session as a text that nobody can make who does not know the token. */
    String seal(Session session) {
        String text = session.id() + "." + session.expiresAt().getEpochSecond();
        return text + "." + base64(sign("session " + text));
    }

    /** The session of such a text; empty if it is none, was sealed under another token, or has ended by itself. */
    Optional<Session> unseal(String text) {
        Matcher parts = SEALED.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        Session session = new Session(parts.group(1), Instant.ofEpochSecond(Long.parseLong(parts.group(2))));
        return isSame(seal(session), text) && clock.instant().isBefore(session.expiresAt())
                ? Optional.of(session)
                : Optional.empty();
    }

    /** The token that each form of a session carries. */
    String formToken(Session session) {
        return base64(sign("form " + session.id()));
    }

    /** Whether a text is the token of a session's forms, in a time that does not depend on how much of it is. */
    boolean isFormToken(Session session, String text) {
        return isSame(formToken(session), text);
    }

    /** A text that nobody but the service can make for a session, to recognise what it has told that session. */
    String tell(Session session, String what) {
        return base64(sign("told " + session.id() + " " + what));
    }

    /** Whether a text is what {@link #tell} makes. */
    boolean isTold(Session session, String what, String text) {
        return isSame(tell(session, what), text);
    }

    /** Ends a session before its time, on all replicas. */
    @Transactional
    void end(Session session) {
        SessionEnd.add(session, clock.instant());
    }

    /** Whether a session was ended before its time. Blocks; from any thread. */
    @ActivateRequestContext
    boolean isEnded(Session session) {
        return SessionEnd.findByIdOptional(session.id()).isPresent();
    }

    private byte[] sign(String text) {
        SecretKeySpec key = token.deriveKey("animal-store console");
        try {
            Mac mac = Mac.getInstance(key.getAlgorithm());
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static boolean isSame(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
