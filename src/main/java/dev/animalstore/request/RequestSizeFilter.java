package dev.animalstore.request;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.Priorities;
import java.util.Map;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Refuses oversized targets and headers, after the request was admitted. */
final class RequestSizeFilter {
    static final int MAXIMUM_TARGET = 4 * 1024;
    static final int MAXIMUM_HEADERS = 6 * 1024;

    private static final int AFTER_THE_GATE = Priorities.USER + 1;

    @ServerRequestFilter(preMatching = true, nonBlocking = true, priority = AFTER_THE_GATE)
    void verifySize(HttpServerRequest request) {
        if (request.uri().length() > MAXIMUM_TARGET) {
            throw new ApiException(
                    ErrorCode.INVALID_PARAMETER, "The request target must not exceed " + MAXIMUM_TARGET + " bytes.");
        }
        int size = 0;
        for (Map.Entry<String, String> header : request.headers()) {
            size += header.getKey().length() + header.getValue().length();
        }
        if (size > MAXIMUM_HEADERS) {
            throw new ApiException(
                    ErrorCode.INVALID_PARAMETER, "The headers must not exceed " + MAXIMUM_HEADERS + " bytes.");
        }
    }
}
