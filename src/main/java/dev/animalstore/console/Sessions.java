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
 * Signs and verifies sessions. The identifier and the expiry of a session are signed by HMAC-SHA-256 with a key derived from the operators'
 * token, so replicas need not share sessions. Sessions that were signed out are rows in PostgreSQL.
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

    /** Creates a session. */
    Session open() {
        byte[] id = new byte[ID_BYTES];
        new SecureRandom().nextBytes(id);
        return new Session(base64(id), clock.instant().plus(LENGTH).truncatedTo(ChronoUnit.SECONDS));
    }

    /** The session as a signed string, which requires the token. */
    String seal(Session session) {
        String text = session.id() + "." + session.expiresAt().getEpochSecond();
        return text + "." + base64(sign("session " + text));
    }

    /** The session of a signed string; empty if it is malformed, was signed with another token, or has expired. */
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

    /** The CSRF token of a session's forms. */
    String formToken(Session session) {
        return base64(sign("form " + session.id()));
    }

    /** Whether a string is the CSRF token of a session, compared in constant time. */
    boolean isFormToken(Session session, String text) {
        return isSame(formToken(session), text);
    }

    /** A signature of a text for a session, which requires the token. */
    String signNotice(Session session, String text) {
        return base64(sign("notice " + session.id() + " " + text));
    }

    /** Whether a string is the signature of a text for a session, compared in constant time. */
    boolean isNotice(Session session, String text, String signature) {
        return isSame(signNotice(session, text), signature);
    }

    /** Signs a session out, on all replicas. */
    @Transactional
    void end(Session session) {
        SessionEnd.add(session, clock.instant());
    }

    /** Whether a session was signed out. Blocks; from any thread. */
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
