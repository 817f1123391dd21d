package dev.animalstore.pet;

import dev.animalstore.error.ApiException;
import dev.animalstore.request.Caller;
import dev.animalstore.request.QueryParameters;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The string by which a client identifies a request and its retries (draft-ietf-httpapi-idempotency-key-header), scoped to one caller.
 *
 * @param caller the identifier of the caller
 * @param text 1 to 255 printable ASCII characters
 */
record IdempotencyKey(String caller, String text) {
    static final String HEADER = "Idempotency-Key";

    private static final Pattern PRINTABLE = Pattern.compile("[ -~]{1,255}");

    /**
     * The key of a request, if it has one.
     *
     * @throws ApiException {@code invalid_parameter} if it is given more than once or out of bounds
     */
    static Optional<IdempotencyKey> from(RoutingContext exchange) {
        List<String> texts = exchange.request().headers().getAll(HEADER);
        if (texts.isEmpty()) {
            return Optional.empty();
        }
        if (texts.size() > 1 || !PRINTABLE.matcher(texts.get(0)).matches()) {
            throw QueryParameters.invalid(HEADER + " must be given once, as 1 to 255 printable ASCII characters.");
        }
        return Optional.of(new IdempotencyKey(Caller.of(exchange), texts.get(0)));
    }
}
