package dev.animalstore.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.Responses;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The failed-authentication limit, on two replicas: one is behind a proxy, the other is not. */
class FailedAuthenticationLimitIT {
    /** That of a day, since a minute may end during a test. */
    private static final int BUDGET = 300;

    private static final int QUERIES_PER_SECOND = 100;

    private static final int AT_ONCE = 200;
    private static final int NEWCOMERS = 100;
    private static final int GUESSES_PER_KEY = 20;
    private static final String QUERIES = "animalstore_keys_queries_total";

    private final Replica behindProxy = Replica.behindProxy();

    /** The proxy appends the last address; what the client wrote to the left of it does not let it choose its budget. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2001:db8:1:2::1    | 2001:db8:1:2:ffff::9       | true
            2001:db8:1:3::1    | 2001:db8:1:4::1            | false
            192.0.2.5, 192.0.3.1 | 192.0.2.6, 192.0.3.1     | true
            192.0.2.7, 192.0.3.2 | 192.0.2.7, 192.0.3.3     | false
            """)
    void requests_fromTwoForwardedAddresses_shareABudgetIfTheyAreOneClient(
            String address, String other, boolean shared) {
        assertEquals(BUDGET - 1, remaining(behindProxy, "X-Forwarded-For", address));
        assertEquals(BUDGET - (shared ? 2 : 1), remaining(behindProxy, "X-Forwarded-For", other));
    }

    @Test
    void forwardedAddress_withoutAProxyOrInAnotherHeader_isIgnored() {
        Replica open = Replica.shared(Map.of());
        int first = remaining(open, "X-Forwarded-For", "192.0.2.3");
        assertEquals(first - 1, remaining(open, "X-Forwarded-For", "192.0.2.4"));
        first = remaining(behindProxy, "Forwarded", "for=192.0.2.7");
        assertEquals(first - 1, remaining(behindProxy, "Forwarded", "for=192.0.2.8"));
    }

    /** After a rollout every key is new. Addresses that guess have exceeded their limit in the first flood, and not in the second one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void validKeys_duringAFloodOfGuessesFromOtherAddresses_areServedAndFewQueriesAreMade(int addresses) {
        List<TestKey> keys =
                Stream.generate(TestKey::unlimited).limit(NEWCOMERS).toList();
        double before = behindProxy.metric(QUERIES);
        long begun = System.nanoTime();
        List<HttpResponse<String>> guesses = new ArrayList<>();
        for (int i = 0; i < NEWCOMERS; i++) {
            int sent = i * GUESSES_PER_KEY;
            List<CompletableFuture<HttpResponse<String>>> flood = IntStream.range(sent, sent + GUESSES_PER_KEY)
                    .map(n -> n % addresses)
                    .mapToObj(n -> start(
                            "198.18." + addresses % 250 + n / 250 + "." + n % 250,
                            TestKey.unknown().text()))
                    .toList();
            HttpResponse<String> newcomer =
                    send("203.0.113." + i % 250, keys.get(i).text());
            assertEquals(200, newcomer.statusCode(), newcomer.body());
            flood.forEach(guess -> guesses.add(guess.join()));
        }
        long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds() + 1;

        long queries = (long) (behindProxy.metric(QUERIES) - before);
        assertTrue(queries <= QUERIES_PER_SECOND * seconds, queries + " queries within " + seconds + " seconds");
        long known = Responses.of(401, guesses).count();
        assertEquals(addresses == 1 ? BUDGET : guesses.size(), known);
        assertEquals(guesses.size() - known, Responses.of(429, guesses).count());
    }

    /** The keys of its customers that this replica does not know wait for a place among the guesses. */
    @Test
    void validKeys_ofAnAddressThatHasExceededItsLimit_areLookedUpAFewAtATime() {
        String address = "192.0.2.13";
        TestKey known = TestKey.unlimited();
        assertEquals(200, send(address, known.text()).statusCode());
        Responses.atOnce(BUDGET, guess -> start(address, "guess"));
        List<HttpResponse<String>> responses = Responses.atOnce(
                AT_ONCE, guess -> start(address, TestKey.unknown().text()));
        responses.forEach(refused -> {
            assertEquals(429, refused.statusCode());
            assertTrue(refused.body().startsWith("{\"code\":\"rate_limit_exceeded\""), refused.body());
        });
        Predicate<HttpResponse<String>> waits =
                refused -> refused.body().contains("are being looked up. Retry in 1 s.");
        assertTrue(responses.stream().anyMatch(waits));
        responses.stream()
                .filter(waits)
                .forEach(refused ->
                        assertEquals(Optional.of("1"), refused.headers().firstValue("Retry-After")));
        assertEquals(200, send(address, known.text()).statusCode());
        HttpResponse<String> response = send(address, TestKey.of("free").text());
        assertEquals(200, response.statusCode());
        assertEquals(59, Responses.remaining(response), "refusals are not charged to the key");
    }

    @Test
    void wrongTokensAndKeys_shareTheBudgetOfTheirAddressWhichNoValidOneNeeds() {
        String address = "192.0.2.12";
        TestKey known = TestKey.unlimited();
        assertEquals(200, send(address, known.text()).statusCode());
        String[] headers = {"X-Forwarded-For", address, "Authorization", "Bearer guess"};
        Responses.atOnce(BUDGET - 4, guess -> behindProxy.get("/v1/pets", headers));
        List<HttpResponse<String>> refused = List.of(
                behindProxy.get("/admin/keys", headers).join(),
                behindProxy.get("/admin/keys", "X-Forwarded-For", address).join(),
                signIn(address, "guess"),
                behindProxy.get("/v1/pets", headers).join(),
                behindProxy.get("/admin/keys", headers).join(),
                signIn(address, "guess"),
                behindProxy.get("/v1/pets", headers).join());

        assertEquals(
                List.of(401, 401, 401, 401, 429, 429, 429),
                refused.stream().map(HttpResponse::statusCode).toList());
        for (int i = 0; i < refused.size(); i++) {
            assertEquals(Math.max(0, 3 - i), Responses.remaining(refused.get(i)));
            assertEquals(
                    i >= 4, refused.get(i).headers().firstValue("Retry-After").isPresent());
        }
        assertTrue(refused.get(4).body().startsWith("{\"code\":\"rate_limit_exceeded\""));
        assertTrue(refused.get(5).body().contains("Too many failed sign-ins came from this address."));
        assertEquals(200, send(address, known.text()).statusCode());
        for (String token : List.of(Operator.ANOTHER_TOKEN, Operator.BILLING_TOKEN)) {
            headers[3] = "Bearer " + token;
            assertEquals(200, behindProxy.get("/admin/keys", headers).join().statusCode());
            assertEquals(303, signIn(address, token).statusCode());
        }
        String billing = "303 operator=" + Operator.BILLING;
        List<String> outcomes = List.of("401 operator=none", "429 operator=none", "200 operator=admin", billing);
        for (String outcome : outcomes) {
            Awaitility.await()
                    .until(() -> !behindProxy
                            .audits("outcome=" + outcome + " address=" + address)
                            .isEmpty());
        }
    }

    private HttpResponse<String> signIn(String address, String token) {
        return behindProxy
                .send(HttpRequest.newBuilder(behindProxy.uri("/console/sign-in"))
                        .header("X-Forwarded-For", address)
                        .header("Sec-Fetch-Site", "same-origin")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString("token=" + token)))
                .join();
    }

    /** Sends a request with a key, through a proxy that names the address. */
    private HttpResponse<String> send(String address, String key) {
        return start(address, key).join();
    }

    private CompletableFuture<HttpResponse<String>> start(String address, String key) {
        return behindProxy.get("/v1/pets?limit=1", "X-Forwarded-For", address, "Authorization", "Bearer " + key);
    }

    /** What is left of a budget after a request without a key, with one header. */
    private static int remaining(Replica replica, String header, String value) {
        return Responses.remaining(replica.get("/v1/pets", header, value).join());
    }
}
