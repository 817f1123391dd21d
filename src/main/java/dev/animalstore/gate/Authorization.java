package dev.animalstore.gate;

import dev.animalstore.key.BearerKey;
import dev.animalstore.key.KeyEnvironment;
import java.util.List;
import java.util.Optional;

/**
 * What the {@code Authorization} headers of a request say (RFC 6750, section 2.1), read without I/O.
 *
 * @param given whether there was any such header
 * @param bearer whether it was of the scheme {@code Bearer}, that is, whether a key was sent at all
 * @param key the key, where exactly one well-formed one was sent
 */
record Authorization(boolean given, boolean bearer, Optional<BearerKey> key) {
    private static final String SCHEME = "Bearer ";

    static Authorization parse(List<String> headers, KeyEnvironment environment) {
        if (headers.size() != 1) {
            // Two headers may hold two keys; which of them counted would be a guess.
            return new Authorization(!headers.isEmpty(), !headers.isEmpty(), Optional.empty());
        }
        String header = headers.get(0);
        if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return new Authorization(true, false, Optional.empty());
        }
        return new Authorization(
                true, true, BearerKey.parse(header.substring(SCHEME.length()).strip(), environment));
    }

    /** The challenge that goes with a 401: it speaks of an invalid token only where one was sent. */
    String challenge() {
        return bearer ? "Bearer realm=\"animal-store\", error=\"invalid_token\"" : "Bearer realm=\"animal-store\"";
    }
}
