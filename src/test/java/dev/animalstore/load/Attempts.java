package dev.animalstore.load;

import dev.animalstore.fixture.TestKey;
import io.vertx.core.MultiMap;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The requests of a load, and figures about them. Times are in milliseconds, and 0 if there was no request.
 *
 * @param all each request, in the order in which they ended
 */
public record Attempts(List<Attempt> all) {
    public Attempts filter(Predicate<Attempt> condition) {
        return new Attempts(all.stream().filter(condition).toList());
    }

    public int requests() {
        return all.size();
    }

    public long count(Predicate<Attempt> condition) {
        return all.stream().filter(condition).count();
    }

    /** The number of responses with a status; 0 stands for no response. */
    public long count(int status) {
        return count(attempt -> attempt.status == status);
    }

    /** The number of errors with a code of the contract. */
    public long count(String code) {
        return count(attempt -> attempt.isError(code));
    }

    /** The number of requests by status; 0 stands for no response. */
    public Map<Integer, Long> statuses() {
        return all.stream().collect(Collectors.groupingBy(Attempt::status, Collectors.counting()));
    }

    /** The number of responses 200. */
    public long admitted() {
        return count(200);
    }

    /** The number of responses 200 to requests with one key. */
    public long admitted(TestKey key) {
        return count(attempt -> attempt.status == 200 && attempt.key.equals(key));
    }

    /** The number of requests that were neither admitted nor refused, those without a response included. */
    public long others() {
        return requests() - count(200) - count(429);
    }

    public double medianMillis() {
        return millis(0.5);
    }

    public double p99Millis() {
        return millis(0.99);
    }

    public double slowestMillis() {
        return millis(1);
    }

    private double millis(double quantile) {
        double[] sorted = all.stream().mapToDouble(Attempt::millis).sorted().toArray();
        int index = (int) Math.ceil(quantile * sorted.length) - 1;
        return sorted.length == 0 ? 0 : sorted[Math.max(0, index)];
    }

    /** With the reasons for which there is no response. */
    @Override
    public String toString() {
        Set<String> failures = all.stream()
                .filter(attempt -> attempt.status == 0)
                .map(Attempt::body)
                .collect(Collectors.toSet());
        return "statuses %s %s, median %.1f ms, p99 %.1f ms, slowest %.1f ms"
                .formatted(statuses(), failures, medianMillis(), p99Millis(), slowestMillis());
    }

    /**
     * A request, and its response if there was one.
     *
     * @param name that of the pet that the request adds; empty if it adds none
     * @param begin when the request was sent, by {@link System#nanoTime()}
     * @param end when the response came or the request failed, by the same clock; received is the same time by the system's clock
     * @param status 0 without a response
     * @param body why there is no response, if there is none
     */
    public record Attempt(
            TestKey key,
            String name,
            long begin,
            long end,
            Instant received,
            int status,
            MultiMap headers,
            String body) {
        /** A request that ends now. */
        Attempt(TestKey key, String name, long begin, int status, MultiMap headers, String body) {
            this(key, name, begin, System.nanoTime(), Instant.now(), status, headers, body);
        }

        public double millis() {
            return (end - begin) / 1e6;
        }

        public boolean isAdded() {
            return status == 201;
        }

        /** Whether the response announces that its connection is closed. */
        public boolean isLast() {
            return "close".equals(headers.get("Connection"));
        }

        /** A 503 in the contract's form, with the time after which to retry. */
        public boolean isUnavailable() {
            return status == 503
                    && isError("service_unavailable")
                    && number("Retry-After") >= 1
                    && headers.contains("X-RateLimit-Remaining");
        }

        /** Whether the headers about the quota contradict each other or the status. */
        public boolean hasWrongHeaders() {
            long remaining = number("X-RateLimit-Remaining");
            return remaining < 0
                    || remaining >= number("X-RateLimit-Limit")
                    || number("X-RateLimit-Reset") < received.getEpochSecond() - 1
                    || !headers.contains("RateLimit")
                    || (status == 429 && (remaining > 0 || number("Retry-After") < 1));
        }

        private boolean isError(String code) {
            return body.startsWith("{\"code\":\"" + code + "\",");
        }

        private long number(String header) {
            String value = headers.get(header);
            return value == null ? -1 : Long.parseLong(value);
        }
    }
}
