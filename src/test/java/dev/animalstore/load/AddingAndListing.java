package dev.animalstore.load;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Clients that add and list pets at random, each through a replica that is chosen at random, and check every list, as Jepsen does: it
 * contains each pet whose addition was acknowledged before the list was requested, unless the pet belongs before or after the page.
 */
public final class AddingAndListing {
    private static final int LIMIT = 50;
    private static final int MOST_PAGES = 64;
    private static final List<String> STATUSES = List.of("available", "pending", "sold");
    private static final Pattern ID = Pattern.compile("\"id\":([0-9]+)");
    private static final Pattern NEXT = Pattern.compile("<[^>]*(/v1/pets\\?[^>]*)>; rel=\"next\"");

    private final List<Replica> replicas;
    private final TestKey key = TestKey.unlimited();
    private final long seed;
    private final AtomicInteger operations = new AtomicInteger();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    /** The known pages, at first only the last one of each status. */
    private final List<Page> pages = new ArrayList<>();

    private final ConcurrentSkipListMap<Long, Acknowledged> pets = new ConcurrentSkipListMap<>();
    private final AtomicInteger acknowledged = new AtomicInteger();

    /** Requires an empty list of pets. */
    public AddingAndListing(List<Replica> replicas, long seed) {
        this.replicas = replicas;
        this.seed = seed;
        pages.add(new Page("/v1/pets?limit=" + LIMIT, "", 0));
        STATUSES.forEach(status -> pages.add(new Page("/v1/pets?limit=" + LIMIT + "&status=" + status, status, 0)));
    }

    /** Starts clients that send a total number of requests. */
    public CompletableFuture<Void> start(int clients, int count) {
        return CompletableFuture.allOf(IntStream.range(0, clients)
                .mapToObj(client -> CompletableFuture.runAsync(
                        () -> run(new SplittableRandom(seed + client), count), run -> new Thread(run).start()))
                .toArray(CompletableFuture[]::new));
    }

    /** The number of requests that were started. */
    public int operations() {
        return operations.get();
    }

    public List<String> faults() {
        return List.copyOf(faults);
    }

    @Override
    public String toString() {
        return "seed " + seed + ", " + operations + " operations, " + pets.size() + " pets, " + pages.size() + " pages";
    }

    private void run(RandomGenerator random, int count) {
        while (operations.getAndIncrement() < count) {
            Replica replica = replicas.get(random.nextInt(replicas.size()));
            if (random.nextInt(8) == 0) {
                add(replica, STATUSES.get(random.nextInt(STATUSES.size())));
            } else {
                list(replica, choose(random));
            }
        }
    }

    private void add(Replica replica, String status) {
        String body = "{\"name\":\"Rex\",\"categoryId\":1,\"status\":\"" + status + "\"}";
        HttpResponse<String> response = replica.post("/v1/pets", key, body).join();
        if (isExpected(201, response)) {
            pets.put(identifiers(response.body()).get(0), new Acknowledged(status, acknowledged.incrementAndGet()));
        }
    }

    private void list(Replica replica, Page page) {
        int before = acknowledged.get();
        HttpResponse<String> response = replica.get(page.path(), key).join();
        if (!isExpected(200, response)) {
            return;
        }
        List<Long> listed = identifiers(response.body());
        long end = listed.size() == LIMIT ? listed.get(LIMIT - 1) : Long.MAX_VALUE;
        pets.subMap(page.after(), false, end, true).forEach((id, pet) -> {
            boolean belongs = page.status().isEmpty() || page.status().equals(pet.status());
            if (pet.number() <= before && belongs && !listed.contains(id)) {
                faults.add(id + " was acknowledged as number " + pet.number() + ", and a list that was requested after "
                        + before + " does not show it: " + page + " of " + replica.port());
            }
        });
        Matcher next = NEXT.matcher(response.headers().firstValue("Link").orElse(""));
        if (next.matches()) {
            discover(new Page(next.group(1), page.status(), end));
        }
    }

    /** Chooses mostly one of the latest pages, since they change. */
    private Page choose(RandomGenerator random) {
        synchronized (pages) {
            int from = random.nextInt(4) == 0 ? 0 : Math.max(0, pages.size() - STATUSES.size() - 1);
            return pages.get(from + random.nextInt(pages.size() - from));
        }
    }

    private void discover(Page page) {
        synchronized (pages) {
            if (!pages.contains(page) && pages.size() < MOST_PAGES) {
                pages.add(page);
            }
        }
    }

    private boolean isExpected(int status, HttpResponse<String> response) {
        if (response.statusCode() == status) {
            return true;
        }
        faults.add(response + " " + response.body());
        return false;
    }

    private static List<Long> identifiers(String body) {
        return ID.matcher(body)
                .results()
                .map(found -> Long.valueOf(found.group(1)))
                .toList();
    }

    /** A page of the list of a status, or of all if that is empty, which begins after an identifier. */
    private record Page(String path, String status, long after) {}

    /** A pet whose addition was acknowledged, and its number in the order of acknowledgements. */
    private record Acknowledged(String status, int number) {}
}
