package dev.animalstore.load;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.time.Duration;
import java.util.List;

/** Eight clients that list pets with one key. A client that gets no response ends. */
public final class Load extends ClosedLoop {
    private static final int CLIENTS = 8;

    private final List<Replica> replicas;
    private final TestKey key;

    public Load(Replica replica, TestKey key) {
        this(List.of(replica), key);
    }

    /** Spreads the clients evenly over several replicas. */
    public Load(List<Replica> replicas, TestKey key) {
        this.replicas = List.copyOf(replicas);
        this.key = key;
    }

    public Load start() {
        start(CLIENTS);
        return this;
    }

    /** Starts the clients, and stops them after some time. */
    public Attempts run(Duration time) {
        start();
        return stopAfter(time);
    }

    @Override
    void send(int client) {
        Replica replica = replicas.get(client % replicas.size());
        boolean hasResponse = true;
        while (hasResponse && !isStopped()) {
            Attempt attempt = Attempt.send(key, "", () -> replica.get("/v1/pets?limit=1", key))
                    .join();
            add(attempt);
            hasResponse = attempt.hasResponse();
        }
    }
}
