package dev.animalstore.load;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.util.UUID;

/** Clients that add pets with unique names, either with an idempotency key until each is added, or once without. */
public final class Writers extends ClosedLoop {
    private final Replica replica;
    private final TestKey key;
    private final boolean retrying;

    private Writers(Replica replica, TestKey key, boolean retrying) {
        this.replica = replica;
        this.key = key;
        this.retrying = retrying;
    }

    /** Starts clients that send each pet until it is added, with an idempotency key. */
    public static Writers start(Replica replica, TestKey key, int clients) {
        return start(new Writers(replica, key, true), clients);
    }

    /** Starts clients that send each pet only once, without an idempotency key. */
    public static Writers startWithoutRetries(Replica replica, TestKey key, int clients) {
        return start(new Writers(replica, key, false), clients);
    }

    private static Writers start(Writers writers, int clients) {
        writers.start(clients);
        return writers;
    }

    /** Whether a pet was added by a request that was sent after a time of {@link System#nanoTime()}. */
    public boolean hasAddedSince(long nanos) {
        return attempts().all().stream().anyMatch(attempt -> attempt.isAdded() && attempt.begin() - nanos > 0);
    }

    @Override
    void send(int client) {
        while (!isStopped()) {
            String name = UUID.randomUUID().toString();
            Attempt attempt;
            do {
                attempt = add(name);
                add(attempt);
            } while (retrying && !attempt.isAdded() && !isStopped());
        }
    }

    private Attempt add(String name) {
        String body = "{\"name\":\"" + name + "\",\"categoryId\":1}";
        String[] headers = retrying ? new String[] {"Idempotency-Key", name} : new String[0];
        return Attempt.send(key, name, () -> replica.post("/v1/pets", key, body, headers))
                .join();
    }
}
