package dev.animalstore.load;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The requests of a load, and figures about them. Times are in milliseconds, and 0 if there was no request.
 *
 * @param all each request, in the order in which they ended
 */
public record Attempts(List<Attempt> all) {
    static Attempts of(Collection<Attempt> attempts) {
        return new Attempts(List.copyOf(attempts));
    }

    /** The requests of two loads together. */
    public Attempts and(Attempts others) {
        return new Attempts(Stream.concat(all.stream(), others.all().stream()).toList());
    }

    /** The requests that a condition selects. */
    public Attempts filter(Predicate<Attempt> condition) {
        return new Attempts(all.stream().filter(condition).toList());
    }

    /** The number of requests. */
    public int requests() {
        return all.size();
    }

    /** The number of requests that a condition selects. */
    public long count(Predicate<Attempt> condition) {
        return all.stream().filter(condition).count();
    }

    /** The number of responses with a status; 0 stands for no response. */
    public long count(int status) {
        return count(attempt -> attempt.status() == status);
    }

    /** The number of errors with a code of the contract. */
    public long count(String code) {
        return count(attempt -> attempt.isError(code));
    }

    /** The number of requests by status. */
    public Map<Integer, Long> statuses() {
        return all.stream().collect(Collectors.groupingBy(Attempt::status, Collectors.counting()));
    }

    /** The number of responses 200. */
    public long admitted() {
        return count(200);
    }

    /** The number of responses 429. */
    public long refused() {
        return count(429);
    }

    /** The number of requests that were neither admitted nor refused, those without a response included. */
    public long others() {
        return requests() - admitted() - refused();
    }

    /** The number of responses whose headers about the quota contradict each other or the status. */
    public long wrongHeaders() {
        return count(Attempt::hasWrongHeaders);
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
}
