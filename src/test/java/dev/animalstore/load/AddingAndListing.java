package dev.animalstore.load;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.regex.MatchResult;
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
    private final Map<String, AtomicInteger> outcomes = new ConcurrentHashMap<>();

    /** The known pages, at first only the last one of each status. */
    private final List<Page> pages = new ArrayList<>();

    private final ConcurrentSkipListMap<Long, Acknowledged> pets = new ConcurrentSkipListMap<>();
    private int acknowledged;

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
                        () -> run(new java.util.SplittableRandom(seed + client), count),
                        run -> new Thread(run).start()))
                .toArray(CompletableFuture[]::new));
    }

    /** The number of requests that were started. */
    public int operations() {
        return operations.get();
    }

    /** The faults in lists and responses. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    @Override
    public String toString() {
        return "seed " + seed + ", " + operations + " operations: " + outcomes + ", " + pages.size() + " pages";
    }

    private void run(RandomGenerator random, int count) {
        while (operations.getAndIncrement() < count) {
            Replica replica = replicas.get(random.nextInt(replicas.size()));
            try {
                if (random.nextInt(8) == 0) {
                    add(replica, STATUSES.get(random.nextInt(STATUSES.size())));
                } else {
                    list(replica, choose(random));
                }
            } catch (CompletionException killed) {
                count("no response");
            }
        }
    }

    private void add(Replica replica, String status) {
        String body = "{\"name\":\"Rex\",\"categoryId\":1,\"status\":\"" + status + "\"}";
        HttpResponse<String> response = replica.post("/v1/pets", key, body).join();
        count("added: " + response.statusCode());
        if (response.statusCode() == 201) {
            acknowledge(identifiers(response.body()).get(0), status);
        } else {
            faults.add("added: " + response.statusCode() + " " + response.body());
        }
    }

    private void list(Replica replica, Page page) {
        int before = acknowledged();
        HttpResponse<String> response = replica.get(page.path(), key).join();
        count("listed: " + response.statusCode());
        if (response.statusCode() != 200) {
            faults.add("listed: " + response.statusCode() + " " + response.body());
            return;
        }
        List<Long> listed = identifiers(response.body());
        long end = listed.size() == LIMIT ? listed.get(LIMIT - 1) : Long.MAX_VALUE;
        pets.subMap(page.after(), false, end, true).forEach((id, pet) -> {
            if (pet.number() <= before && pet.isOf(page.status()) && !listed.contains(id)) {
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

    private synchronized void acknowledge(long id, String status) {
        acknowledged++;
        pets.put(id, new Acknowledged(status, acknowledged));
    }

    private synchronized int acknowledged() {
        return acknowledged;
    }

    private void count(String outcome) {
        outcomes.computeIfAbsent(outcome, none -> new AtomicInteger()).incrementAndGet();
    }

    private static List<Long> identifiers(String body) {
        return ID.matcher(body)
                .results()
                .map(MatchResult::group)
                .map(AddingAndListing::number)
                .toList();
    }

    private static long number(String member) {
        return Long.parseLong(member.substring("\"id\":".length()));
    }

    /**
     * A page of the list.
     *
     * @param status empty for all
     * @param after the identifier after which it begins
     */
    private record Page(String path, String status, long after) {}

    /**
     * A pet whose addition was acknowledged.
     *
     * @param number its position in the order of acknowledgements
     */
    private record Acknowledged(String status, int number) {
        boolean isOf(String wanted) {
            return wanted.isEmpty() || status.equals(wanted);
        }
    }
}
