package dev.animalstore.metering.gate;

import dev.animalstore.metering.key.BearerKey;
import dev.animalstore.metering.key.KeyConfig;
import dev.animalstore.web.error.ErrorCode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** The {@code Authorization} headers of a request (RFC 6750, section 2.1), parsed without I/O. */
@Singleton
final class AuthorizationHeader {
    private static final String SCHEME = "Bearer ";
    private static final String NOT_VALID = "The API key is not valid.";

    /** The response to a key that is malformed, unknown, revoked or expired. It never says which. */
    final Refusal invalidKey;

    private final Refusal otherScheme;
    private final Refusal noKey;
    private final String start;

    AuthorizationHeader(KeyConfig config) {
        String challenge = "Bearer realm=\"" + config.realm() + "\"";
        invalidKey =
                Refusal.unauthorized(ErrorCode.INVALID_API_KEY, NOT_VALID, challenge + ", error=\"invalid_token\"");
        otherScheme = Refusal.unauthorized(ErrorCode.INVALID_API_KEY, NOT_VALID, challenge);
        noKey = Refusal.unauthorized(
                ErrorCode.MISSING_API_KEY, "Send an API key: Authorization: Bearer <API key>", challenge);
        start = BearerKey.start(config);
    }

    /** The key, if the headers contain exactly one well-formed one. Of two, choosing one would be a guess. */
    Optional<BearerKey> key(List<String> headers) {
        return headers.size() == 1 && isBearer(headers.get(0))
                ? BearerKey.parse(headers.get(0).substring(SCHEME.length()).strip(), start)
                : Optional.empty();
    }

    /** The response if {@link #key} finds none. */
    Refusal refusal(List<String> headers) {
        if (headers.isEmpty()) {
            return noKey;
        }
        return headers.size() > 1 || isBearer(headers.get(0)) ? invalidKey : otherScheme;
    }

    private static boolean isBearer(String header) {
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }
}
