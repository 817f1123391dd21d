package dev.animalstore.hostile;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.key.BearerKey;
import dev.animalstore.key.KeyEnvironment;
import dev.animalstore.process.Replica;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Clients at one address that guess keys. */
final class Guessers {
    private static final int CLIENTS = 20;
    private static final int GUESSES_OF_EACH = 50;

    /** The total number of keys that the clients guess. */
    static final int GUESSES = CLIENTS * GUESSES_OF_EACH;

    private Guessers() {}

    /** Lets each client send unknown keys and a good key alternately, and returns all responses. */
    static List<HttpResponse<String>> guess(Replica replica, String address, TestKey good) {
        List<CompletableFuture<List<HttpResponse<String>>>> guessers = Stream.generate(() ->
                        CompletableFuture.supplyAsync(
                                () -> Stream.generate(() -> List.of(unknownKey(), good.text()))
                                        .limit(GUESSES_OF_EACH)
                                        .flatMap(List::stream)
                                        .map(key -> send(replica, address, key))
                                        .toList(),
                                task -> new Thread(task).start()))
                .limit(CLIENTS)
                .toList();
        return guessers.stream().flatMap(guesser -> guesser.join().stream()).toList();
    }

    /** A well-formed key that was never issued. */
    static String unknownKey() {
        return BearerKey.generate(KeyEnvironment.TEST, new SecureRandom()).reveal();
    }

    /** Sends a request with a key, through a proxy that names the address. */
    static HttpResponse<String> send(Replica replica, String address, String key) {
        return replica.get("/v1/pets?limit=1", "X-Forwarded-For", address, "Authorization", "Bearer " + key)
                .join();
    }
}
