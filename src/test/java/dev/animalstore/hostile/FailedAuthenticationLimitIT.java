package dev.animalstore.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The failed-authentication limit, on two replicas of its own: one trusts its proxy, the other has none. */
class FailedAuthenticationLimitIT {
    private static final int PER_MINUTE = 300;

    /** Concurrent look-ups for one address; each takes at least a tenth of a second. */
    private static final int LOOK_UPS_AT_A_TIME = 2;

    private static final String QUERIES = "animalstore_keys_queries_total";

    private static Replica behindProxy;
    private static Replica open;

    @BeforeAll
    static void start() throws IOException {
        behindProxy = startBehindProxy("30s");
        open = Replica.start(Map.of());
    }

    private static Replica startBehindProxy(String cacheTime) throws IOException {
        return Replica.start(Map.of(
                "quarkus.http.proxy.proxy-address-forwarding", "true",
                "quarkus.http.proxy.enable-forwarded-host", "true",
                "quarkus.http.proxy.trusted-proxies", "127.0.0.1",
                // A busy machine must not be mistaken for a failing Redis, after whose return keys are looked up again.
                "animalstore.redis.timeout", "500ms",
                "animalstore.keys.cache-time", cacheTime));
    }

    @AfterAll
    static void stop() {
        behindProxy.close();
        open.close();
    }

    @Test
    void requests_withoutAValidKeyPastTheBudget_areRefusedWith429() {
        List<HttpResponse<String>> responses = sendFrom("192.0.2.1", PER_MINUTE + 1);
        assertEquals(PER_MINUTE, count(responses, 401));
        HttpResponse<String> refused = responses.stream()
                .filter(response -> response.statusCode() == 429)
                .findFirst()
                .orElseThrow();
        assertEquals("300", header(refused, "X-RateLimit-Limit"));
        assertEquals("0", header(refused, "X-RateLimit-Remaining"));
        assertTrue(Integer.parseInt(header(refused, "Retry-After")) >= 1);
        assertTrue(refused.body().startsWith("{\"code\":\"rate_limit_exceeded\""), refused.body());
    }

    @Test
    void requests_withAValidKey_areNotAffectedByTheExhaustedBudgetOfTheirAddress() {
        String address = "192.0.2.2";
        assertEquals(1, count(sendFrom(address, PER_MINUTE + 1), 429));
        HttpResponse<String> response =
                Guessers.send(behindProxy, address, TestKey.of("free").text());
        assertEquals(200, response.statusCode());
        assertEquals("59", header(response, "X-RateLimit-Remaining"));
    }

    @Test
    void requests_fromOneIpv6Network_shareABudget() {
        sendFrom("2001:db8:1:2::1", PER_MINUTE - 1);
        assertEquals(List.of(401, 429), statuses(sendInTurn("2001:db8:1:2:ffff::9", 2)));
        assertEquals(List.of(401), statuses(sendInTurn("2001:db8:1:3::1", 1)));
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8:5::1, [2001:db8:5::1]",
        "2001:db8:6::1, [2001:db8:6::1]:443",
        "192.0.2.21, 192.0.2.21:443",
        "192.0.2.22, ::ffff:192.0.2.22",
        "192.0.2.23, ::ffff:c000:217",
        "192.0.2.24, [::ffff:192.0.2.24]:443"
    })
    void requests_fromOneAddressInTwoSpellings_shareABudget(String address, String spelling) {
        assertEquals(PER_MINUTE - 1, remainingBehindProxy("X-Forwarded-For", address));
        assertEquals(PER_MINUTE - 2, remainingBehindProxy("X-Forwarded-For", spelling));
    }

    @Test
    void forwardedAddress_withoutATrustedProxy_isIgnored() {
        String first =
                header(open.get("/v1/pets", "X-Forwarded-For", "192.0.2.3").join(), "X-RateLimit-Remaining");
        String second =
                header(open.get("/v1/pets", "X-Forwarded-For", "192.0.2.4").join(), "X-RateLimit-Remaining");
        assertEquals(Integer.parseInt(first) - 1, Integer.parseInt(second));
    }

    /**
     * A proxy that appended to the client's header would let the client choose its budget, so the documents require that it overwrites it.
     */
    @Test
    void forwardedAddresses_inAListOfATrustedProxy_countByTheFirst() {
        assertEquals(PER_MINUTE - 1, remainingBehindProxy("X-Forwarded-For", "192.0.2.5, 198.51.100.1"));
        assertEquals(PER_MINUTE - 2, remainingBehindProxy("X-Forwarded-For", "192.0.2.5, 198.51.100.2"));
        assertEquals(PER_MINUTE - 1, remainingBehindProxy("X-Forwarded-For", "192.0.2.6, 198.51.100.1"));
    }

    @Test
    void forwarded_withoutTheSetting_isIgnoredEvenFromATrustedProxy() {
        int first = remainingBehindProxy("Forwarded", "for=192.0.2.7");
        assertEquals(first - 1, remainingBehindProxy("Forwarded", "for=192.0.2.8"));
    }

    @Test
    void links_behindATrustedProxy_carryThePublicAddress() {
        HttpResponse<String> response = behindProxy
                .get(
                        "/v1/pets/1",
                        "Authorization",
                        "Bearer " + TestKey.unlimited().text(),
                        "X-Forwarded-Proto",
                        "https",
                        "X-Forwarded-Host",
                        "api.animalstore.example")
                .join();
        assertEquals("<https://api.animalstore.example/v1/pets>; rel=\"successor-version\"", header(response, "Link"));
    }

    @Test
    void unknownKey_sentRepeatedly_costsOneQueryAndMalformedOnesNone() throws IOException, InterruptedException {
        double before = open.metric(QUERIES);
        String unknown = Guessers.unknownKey();
        for (int i = 0; i < 20; i++) {
            assertEquals(
                    401,
                    open.get("/v1/pets", "Authorization", "Bearer " + unknown)
                            .join()
                            .statusCode());
            assertEquals(
                    401,
                    open.get("/v1/pets", "Authorization", "Bearer " + unknown + i)
                            .join()
                            .statusCode());
        }
        assertEquals(before + 1, open.metric(QUERIES));
    }

    @Test
    void guessedKeys_pastTheBudget_reachTheDatabaseAFewAtATime() throws IOException, InterruptedException {
        String address = "192.0.2.5";
        TestKey known = TestKey.unlimited();
        assertEquals(200, Guessers.send(behindProxy, address, known.text()).statusCode());
        sendFrom(address, PER_MINUTE);
        double before = behindProxy.metric(QUERIES);
        long begun = System.nanoTime();
        List<HttpResponse<String>> responses = Guessers.guess(behindProxy, address, known);
        long tenths = Duration.ofNanos(System.nanoTime() - begun).toMillis() / 100 + 1;

        assertEquals(Guessers.GUESSES, count(responses, 429));
        assertEquals(Guessers.GUESSES, count(responses, 200));
        responses.stream().filter(response -> response.statusCode() == 429).forEach(refused -> {
            assertTrue(refused.body().startsWith("{\"code\":\"rate_limit_exceeded\""), refused.body());
            assertEquals("300", header(refused, "X-RateLimit-Limit"));
            assertEquals("0", header(refused, "X-RateLimit-Remaining"));
            assertTrue(Integer.parseInt(header(refused, "Retry-After")) >= 1);
        });
        assertTrue(responses.stream().anyMatch(FailedAuthenticationLimitIT::isPostponed));
        double queries = behindProxy.metric(QUERIES) - before;
        assertTrue(
                queries <= LOOK_UPS_AT_A_TIME * tenths, queries + " queries within " + tenths + " tenths of a second");
        TestKey newcomer = TestKey.of("free");
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(() ->
                        Guessers.send(behindProxy, address, newcomer.text()).statusCode() == 200);
    }

    @Test
    void goodKey_thatExpiresFromTheCacheDuringGuesses_isAlwaysLookedUp() throws IOException {
        String address = "192.0.2.9";
        TestKey good = TestKey.unlimited();
        try (Replica forgetful = startBehindProxy("10ms")) {
            assertEquals(200, Guessers.send(forgetful, address, good.text()).statusCode());
            for (int i = 0; i < PER_MINUTE; i++) {
                Guessers.send(forgetful, address, "malformed");
            }
            List<HttpResponse<String>> responses = Guessers.guess(forgetful, address, good);
            assertEquals(Guessers.GUESSES, count(responses, 429));
            assertEquals(Guessers.GUESSES, count(responses, 200));
        }
    }

    /** Whether the response is to a key that was not looked up. */
    private static boolean isPostponed(HttpResponse<String> response) {
        return response.statusCode() == 429 && header(response, "Retry-After").equals("1");
    }

    private static List<HttpResponse<String>> sendFrom(String address, int times) {
        List<CompletableFuture<HttpResponse<String>>> requests = Stream.generate(
                        () -> behindProxy.get("/v1/pets", "X-Forwarded-For", address))
                .limit(times)
                .toList();
        return requests.stream().map(CompletableFuture::join).toList();
    }

    private static int remainingBehindProxy(String header, String value) {
        return Integer.parseInt(
                header(behindProxy.get("/v1/pets", header, value).join(), "X-RateLimit-Remaining"));
    }

    private static List<HttpResponse<String>> sendInTurn(String address, int times) {
        return Stream.generate(() ->
                        behindProxy.get("/v1/pets", "X-Forwarded-For", address).join())
                .limit(times)
                .toList();
    }

    private static List<Integer> statuses(List<HttpResponse<String>> responses) {
        return responses.stream().map(HttpResponse::statusCode).toList();
    }

    private static long count(List<HttpResponse<String>> responses, int status) {
        return statuses(responses).stream().filter(actual -> actual == status).count();
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElseThrow();
    }
}
