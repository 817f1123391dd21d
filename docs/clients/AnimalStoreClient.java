import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public final class AnimalStoreClient {
    private static final Pattern NEXT = Pattern.compile("<([^>]+)>; *rel=\"next\"");
    private static final Set<Integer> TEMPORARY = Set.of(408, 409, 429, 503);
    private static final int ATTEMPTS = 5;
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

    private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final URI api;
    private final String key;

    /** @param api the address of the API with a slash at its end, such as {@code https://api.animalstore.example/v1/} */
    public AnimalStoreClient(URI api, String key) {
        this.api = api;
        this.key = key;
    }

    /** Passes each page of a list, such as {@code pets?status=sold}, to a consumer as a JSON array. */
    public void list(String path, Consumer<String> page) throws IOException, InterruptedException {
        Optional<URI> next = Optional.of(api.resolve(path));
        while (next.isPresent()) {
            HttpResponse<String> response = send(request(next.get()).GET().build());
            page.accept(response.body());
            next = response.headers().allValues("Link").stream()
                    .map(NEXT::matcher)
                    .filter(Matcher::find)
                    .map(link -> URI.create(link.group(1)))
                    .findFirst();
        }
    }

    /** Adds a pet, once, however often the request has to be sent, and returns it as JSON. */
    public String add(String pet) throws IOException, InterruptedException {
        return send(request(api.resolve("pets"))
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", UUID.randomUUID().toString())
                        .POST(HttpRequest.BodyPublishers.ofString(pet))
                        .build())
                .body();
    }

    /** Returns the key with its quota and its ban as JSON. It costs no request of the quota. */
    public String ownKey() throws IOException, InterruptedException {
        return send(request(api.resolve("key")).GET().build()).body();
    }

    private HttpRequest.Builder request(URI uri) {
        return HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).header("Authorization", "Bearer " + key);
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            Duration wait = backoff(attempt);
            try {
                HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
                if (response.statusCode() < 400) {
                    return response;
                }
                Duration asked = Duration.ofSeconds(response.headers().firstValueAsLong("Retry-After").orElse(0));
                wait = asked.compareTo(wait) > 0 ? asked : wait;
                if (!TEMPORARY.contains(response.statusCode()) || attempt == ATTEMPTS || wait.compareTo(LONGEST_WAIT) > 0) {
                    throw new IllegalStateException(response.statusCode() + " " + response.body());
                }
            } catch (IOException lost) {
                if (attempt == ATTEMPTS) {
                    throw lost;
                }
            }
            Thread.sleep(wait.toMillis());
        }
    }

    /** Twice as long for each attempt, with a random part, so that clients that failed together do not return together. */
    private static Duration backoff(int attempt) {
        long most = 500L << attempt;
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(most / 2, most));
    }
}
