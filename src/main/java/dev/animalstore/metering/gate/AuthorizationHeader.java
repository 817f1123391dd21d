package dev.animalstore.metering.gate;

import dev.animalstore.metering.key.BearerKey;
import dev.animalstore.metering.key.BearerKey.Environment;
import dev.animalstore.web.error.ErrorCode;
import java.util.List;
import java.util.Optional;

/** The {@code Authorization} headers of a request (RFC 6750, section 2.1), parsed without I/O. */
final class AuthorizationHeader {
    private static final String SCHEME = "Bearer ";
    private static final String CHALLENGE = "Bearer realm=\"animal-store\"";

    /** The response to a key that is malformed, unknown, revoked or expired. It never says which. */
    static final Refusal INVALID_KEY = Refusal.unauthorized(
            ErrorCode.INVALID_API_KEY, "The API key is not valid.", CHALLENGE + ", error=\"invalid_token\"");

    private static final Refusal OTHER_SCHEME =
            Refusal.unauthorized(ErrorCode.INVALID_API_KEY, "The API key is not valid.", CHALLENGE);
    private static final Refusal NO_KEY = Refusal.unauthorized(
            ErrorCode.MISSING_API_KEY, "Send an API key: Authorization: Bearer <API key>", CHALLENGE);

    private AuthorizationHeader() {}

    /** The key, if the headers contain exactly one well-formed one. Of two, choosing one would be a guess. */
    static Optional<BearerKey> key(List<String> headers, Environment environment) {
        return headers.size() == 1 && isBearer(headers.get(0))
                ? BearerKey.parse(headers.get(0).substring(SCHEME.length()).strip(), environment)
                : Optional.empty();
    }

    /** The response if {@link #key} finds none. */
    static Refusal refusal(List<String> headers) {
        if (headers.isEmpty()) {
            return NO_KEY;
        }
        return headers.size() > 1 || isBearer(headers.get(0)) ? INVALID_KEY : OTHER_SCHEME;
    }

    private static boolean isBearer(String header) {
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }
}
