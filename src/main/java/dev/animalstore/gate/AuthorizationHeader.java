package dev.animalstore.gate;

import dev.animalstore.error.ApiError;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.key.BearerKey;
import dev.animalstore.key.KeyEnvironment;
import java.util.List;
import java.util.Optional;

/**
 * The {@code Authorization} headers of a request (RFC 6750, section 2.1), parsed without I/O.
 *
 * @param given whether there was any such header
 * @param bearer whether its scheme was {@code Bearer}, so that a key was sent
 * @param key the key, if exactly one well-formed one was sent
 */
record AuthorizationHeader(boolean given, boolean bearer, Optional<BearerKey> key) {
    private static final String SCHEME = "Bearer ";
    private static final String CHALLENGE = "Bearer realm=\"animal-store\"";

    /** The response to a key that is malformed, unknown, revoked or expired. It never says which. */
    static final Refusal INVALID_KEY = new Refusal(
            new ApiError(ErrorCode.INVALID_API_KEY, "The API key is not valid."),
            CHALLENGE + ", error=\"invalid_token\"");

    private static final Refusal OTHER_SCHEME = new Refusal(INVALID_KEY.error(), CHALLENGE);
    private static final Refusal NO_KEY = new Refusal(
            new ApiError(ErrorCode.MISSING_API_KEY, "Send an API key: Authorization: Bearer <API key>"), CHALLENGE);

    static AuthorizationHeader parse(List<String> headers, KeyEnvironment environment) {
        if (headers.size() != 1) {
            // Two headers may hold two keys, and choosing one would be a guess.
            return new AuthorizationHeader(!headers.isEmpty(), !headers.isEmpty(), Optional.empty());
        }
        String header = headers.get(0);
        if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return new AuthorizationHeader(true, false, Optional.empty());
        }
        return new AuthorizationHeader(
                true, true, BearerKey.parse(header.substring(SCHEME.length()).strip(), environment));
    }

    /** The response if the headers contain no key. */
    Refusal refusal() {
        if (!given) {
            return NO_KEY;
        }
        return bearer ? INVALID_KEY : OTHER_SCHEME;
    }

    /**
     * A 401.
     *
     * @param error the body
     * @param challenge the {@code WWW-Authenticate} header, which reports an invalid token only if one was sent
     */
    record Refusal(ApiError error, String challenge) {}
}
