package dev.animalstore.load;

import dev.animalstore.fixture.TestKey;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A request of a load, and its response if there was one.
 *
 * @param key the key that the request carried
 * @param name the name of the pet that the request adds; empty if it adds none
 * @param begin when the request was sent, by {@link System#nanoTime()}
 * @param end when the response came or the request failed, by the same clock
 * @param received the same time, by the system's clock
 * @param status the status of the response; 0 without a response
 * @param headers the headers of the response; none without a response
 * @param body the body of the response; empty without a response
 */
public record Attempt(
        TestKey key,
        String name,
        long begin,
        long end,
        Instant received,
        int status,
        HttpHeaders headers,
        String body) {
    private static final HttpHeaders NO_HEADERS = HttpHeaders.of(Map.of(), (name, value) -> true);

    /** Sends a request; the future never fails. */
    static CompletableFuture<Attempt> send(
            TestKey key, String name, Supplier<CompletableFuture<HttpResponse<String>>> request) {
        long begin = System.nanoTime();
        return request.get().handle((response, failure) -> {
            long end = System.nanoTime();
            Instant received = Instant.now();
            return failure == null
                    ? new Attempt(
                            key, name, begin, end, received, response.statusCode(), response.headers(), response.body())
                    : new Attempt(key, name, begin, end, received, 0, NO_HEADERS, "");
        });
    }

    /** Whether there was a response. */
    public boolean hasResponse() {
        return status > 0;
    }

    /** Whether a pet was added. */
    public boolean isAdded() {
        return status == 201;
    }

    /** Whether the response is an error with a code of the contract. */
    public boolean isError(String code) {
        return body.startsWith("{\"code\":\"" + code + "\",");
    }

    /** A 503 in the contract's form, with the time after which to retry. */
    public boolean isUnavailable() {
        return status == 503
                && isError("service_unavailable")
                && number("Retry-After") >= 1
                && headers.firstValue("X-RateLimit-Remaining").isPresent();
    }

    double millis() {
        return (end - begin) / 1e6;
    }

    /** Whether the headers about the quota contradict each other or the status. */
    boolean hasWrongHeaders() {
        long limit = number("X-RateLimit-Limit");
        long remaining = number("X-RateLimit-Remaining");
        return remaining < 0
                || remaining >= limit
                || number("X-RateLimit-Reset") < received.getEpochSecond() - 1
                || headers.firstValue("RateLimit").isEmpty()
                || (status == 429 && (remaining > 0 || number("Retry-After") < 1));
    }

    private long number(String header) {
        return headers.firstValueAsLong(header).orElse(-1);
    }
}
