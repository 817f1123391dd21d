package dev.animalstore.operator;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.ConfigMapping;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.validation.constraints.Pattern;
import jakarta.ws.rs.NotFoundException;
import java.net.URI;
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

    /** How the tokens begin that development and the documents use. */
    private static final String PUBLISHED = "operators-token-for-";

    private static final String LOOPBACK = "(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]*)?";

    private final Optional<byte[]> token;
    private final boolean isPublished;

    OperatorToken(Config config) {
        token = config.token().map(text -> text.getBytes(StandardCharsets.UTF_8));
        isPublished = config.token().filter(text -> text.startsWith(PUBLISHED)).isPresent();
    }

    /** Prevents the start in production if the token is a published one. */
    void verify(@Observes StartupEvent start) {
        if (isPublished && LaunchMode.current() == LaunchMode.NORMAL) {
            throw new IllegalStateException("animalstore.admin.token is one that the documents show");
        }
    }

    /** Whether a token is configured. Without it {@code /admin} and the console are disabled. */
    public boolean isConfigured() {
        return token.isPresent();
    }

    /**
     * Refuses a request if no token is configured, or if a published one is and the request names another host than this machine. A web page
     * could otherwise send requests with that token through a name of its own that leads here (DNS rebinding).
     *
     * @throws NotFoundException without a token
     * @throws ApiException {@code not_found} for another host
     */
    public void verifyServed(URI request) {
        if (token.isEmpty()) {
            throw new NotFoundException();
        }
        String host = request.getAuthority();
        if (isPublished && (host == null || !host.matches(LOOPBACK))) {
            throw new ApiException(
                    ErrorCode.NOT_FOUND,
                    "The operators' token is a published one, which is served for localhost only."
                            + " Set ANIMALSTORE_ADMIN_TOKEN to a secret one.");
        }
    }

    public boolean matches(String text) {
        return token.isPresent() && MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), token.get());
    }

    /**
     * A signature (HMAC-SHA-256) of a text, which does not reveal the token. It is the same on all replicas, and changes with the token.
     *
     * @throws IllegalStateException if no token is configured
     */
    public byte[] sign(String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(token.orElseThrow(IllegalStateException::new), HMAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The access to {@code /admin} and the console. */
    @ConfigMapping(prefix = "animalstore.admin")
    interface Config {
        /** The bearer token of operators: at least 32 characters of printable ASCII. Without it {@code /admin} and the console are 404. */
        Optional<@Pattern(regexp = "[!-~]{32,}", message = "must be at least 32 characters of printable ASCII") String>
                token();
    }
}
