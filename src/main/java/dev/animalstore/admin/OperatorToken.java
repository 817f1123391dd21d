package dev.animalstore.admin;

import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The token of operators, if one is configured. It is compared in constant time. */
@Singleton
public final class OperatorToken {
    private static final String HMAC = "HmacSHA256";

    private final Optional<byte[]> token;

    OperatorToken(AdminConfig config) {
        token = config.token().map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether a token is configured. Without it {@code /admin} and the console are disabled. */
    public boolean isConfigured() {
        return token.isPresent();
    }

    /** Whether a string is the token. */
    public boolean matches(String text) {
        return token.isPresent() && MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), token.get());
    }

    /**
     * A key for a purpose, which does not reveal the token. It is the same on all replicas, and changes with the token.
     *
     * @throws IllegalStateException if no token is configured
     */
    public SecretKeySpec deriveKey(String purpose) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(token.orElseThrow(IllegalStateException::new), HMAC));
            return new SecretKeySpec(mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8)), HMAC);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
