package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Fuzz;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.Visitor;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The console of the package: its sessions on several replicas and behind a proxy, its budget of sign-ins, its audit, and hostile forms. */
class ConsoleReplicasIT {
    private static final Map<String, String> TOKEN = Map.of("animalstore.admin.token", Operator.TOKEN);
    private static final Pattern COOKIE = Pattern.compile("((?:__Secure-)?console=[A-Za-z0-9._-]+);.*");
    private static final int FORMS = 3000;

    @Test
    void session_ofOneReplica_isValidOnAnotherUntilTheTokenChanges() throws Exception {
        try (Replica one = Replica.start(TOKEN);
                Replica other = Replica.start(TOKEN);
                Replica changed = Replica.start(Map.of("animalstore.admin.token", Operator.TOKEN + "-2"))) {
            String cookie = cookie(signIn(one, Operator.TOKEN));
            assertEquals(200, get(one, "/console", cookie).statusCode());
            assertEquals(200, get(other, "/console", cookie).statusCode());
            assertEquals(303, get(changed, "/console", cookie).statusCode());

            post(
                    other,
                    "/console/sign-out",
                    cookie,
                    Visitor.hiddenFields(get(other, "/console", cookie).body()));
            assertEquals(303, get(one, "/console", cookie).statusCode());
        }
    }

    @Test
    void cookie_behindTls_isSentOverTlsOnly() throws Exception {
        try (Replica replica = Replica.start(Map.of(
                "animalstore.admin.token", Operator.TOKEN,
                "quarkus.http.proxy.proxy-address-forwarding", "true",
                "quarkus.http.proxy.trusted-proxies", "127.0.0.1"))) {
            HttpResponse<String> response =
                    replica.send(form(replica, "/console/sign-in", "", Map.of("token", Operator.TOKEN))
                            .header("X-Forwarded-Proto", "https"));
            assertEquals(303, response.statusCode());
            assertEquals("/console", response.headers().firstValue("Location").orElse(""));
            String given = response.headers().firstValue("Set-Cookie").orElse("");
            assertTrue(given.startsWith("__Secure-console=") && given.contains("; Secure;"), given);
            String cookie = cookie(response);
            assertEquals(303, get(replica, "/console", cookie).statusCode());
            HttpRequest.Builder page = HttpRequest.newBuilder(replica.uri("/console"))
                    .header("Cookie", cookie)
                    .header("X-Forwarded-Proto", "https");
            assertEquals(200, replica.send(page).statusCode());
        }
    }

    @Test
    void signIn_pastTheBudgetOfTheAddress_is429AndAffectsNoSession() throws Exception {
        try (Replica replica = Replica.start(Map.of(
                "animalstore.admin.token", Operator.TOKEN, "animalstore.failed-authentication.per-minute", "3"))) {
            String cookie = cookie(signIn(replica, Operator.TOKEN));
            for (int i = 0; i < 3; i++) {
                assertEquals(401, signIn(replica, "guess").statusCode());
            }
            for (String token : List.of("guess", Operator.TOKEN)) {
                HttpResponse<String> refused = signIn(replica, token);
                assertEquals(429, refused.statusCode());
                assertTrue(Integer.parseInt(
                                refused.headers().firstValue("Retry-After").orElse("0"))
                        > 0);
                assertTrue(refused.body().contains("Too many failed sign-ins came from this address."), refused.body());
                assertTrue(refused.headers().firstValue("Set-Cookie").isEmpty());
            }
            assertEquals(200, get(replica, "/console", cookie).statusCode());
            assertEquals(429, replica.status("/v1/pets"), "the API's budget is the same");
        }
    }

    @Test
    void audit_ofEachAction_namesTheOperationOfTheApi() throws Exception {
        try (Replica replica = Replica.start(TOKEN)) {
            String owner = "Audited " + UUID.randomUUID();
            String cookie = cookie(signIn(replica, Operator.TOKEN));
            Map<String, String> typed =
                    Map.of("owner", owner, "plan", "enterprise", "limits.perMinute", "1", "limits.perDay", "50");
            Matcher text = Pattern.compile("ask_live_[0-9A-Za-z]{38}|ask_test_[0-9A-Za-z]{38}")
                    .matcher(submit(replica, "/console/issue", cookie, typed));
            assertTrue(text.find());
            for (int i = 0; i < 3; i++) {
                replica.get("/v1/pets", "Authorization", "Bearer " + text.group())
                        .join();
            }
            long id = TestDatabase.query("select id from api_key where owner = '" + owner + "'")
                    .get(0);
            String path = "/console/keys/" + id;
            submit(
                    replica,
                    path + "/change",
                    cookie,
                    Map.of("owner", owner, "plan", "enterprise", "limits.perMinute", "1", "limits.perDay", "60"));
            submit(replica, path + "/rotation", cookie, Map.of("graceSeconds", "60"));
            String page = get(replica, path, cookie).body();
            page = page.substring(page.indexOf("action=\"" + path + "/ban/lift\""));
            Map<String, String> lift = Visitor.hiddenFields(page.substring(0, page.indexOf("</form>")));
            assertEquals(303, post(replica, path + "/ban/lift", cookie, lift).statusCode());
            submit(replica, path + "/revocation", cookie, Map.of());

            String suffix = " key=" + id + " owner=\"" + owner + "\" outcome=";
            List<String> lines = replica.log().events().stream()
                    .map(event -> event.get("message").asText())
                    .filter(message -> message.startsWith("audit action=") && message.contains(owner))
                    .filter(message -> !message.contains("=show") && !message.contains("=getKey"))
                    .toList();
            assertEquals(
                    List.of(
                            "audit action=issueKey" + suffix + "201",
                            "audit action=changeKey" + suffix + "200",
                            "audit action=rotateKey" + suffix + "201",
                            "audit action=liftBan" + suffix + "204",
                            "audit action=revokeKey" + suffix + "204"),
                    lines);
            assertFalse(replica.log().text().contains(Operator.TOKEN));
            assertFalse(replica.log().text().contains(cookie.substring(cookie.indexOf('=') + 1)));
        }
    }

    /** Each form is sent with a session, so that it is processed as far as possible. */
    @Test
    void forms_madeFromValidOnes_areAcceptedOrRefusedAsPages() throws Exception {
        try (Replica replica = Replica.start(TOKEN)) {
            String cookie = cookie(signIn(replica, Operator.TOKEN));
            Map<String, String> hidden = Visitor.hiddenFields(
                    get(replica, "/console/issue", cookie).body().replaceFirst("(?s).*class=\"fields\"", ""));
            String valid = encode(hidden)
                    + "&owner=Fuzz&plan=enterprise&limits.perMinute=5&limits.perDay=60&expiresAt=2999-01-01T00%3A00";
            List<String> seeds = List.of(
                    valid, valid + "&x=%F0%9F%98%80", "form=" + hidden.get("form") + "&graceSeconds=60&version=1");
            long first = Fuzz.firstNumber();
            for (int i = 0; i < FORMS; i++) {
                String body = Fuzz.text(seeds, first + i);
                String path = i % 3 == 0 ? "/console/keys/1/rotation" : "/console/issue";
                HttpResponse<String> response = replica.send(HttpRequest.newBuilder(replica.uri(path))
                        .header("Cookie", cookie)
                        .header("Sec-Fetch-Site", "same-origin")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(body)));
                String failure = "-Dfuzz.seed=" + (first + i) + ": " + response.statusCode() + " " + body;
                assertTrue(response.statusCode() < 500, failure);
                assertTrue(response.statusCode() == 303 || response.body().contains("</html>"), failure);
                assertFalse(response.body().contains("<script>"), failure);
            }
            assertFalse(replica.log().text().contains("Defect"));
        }
    }

    private static HttpResponse<String> signIn(Replica replica, String token) throws IOException, InterruptedException {
        return post(replica, "/console/sign-in", "", Map.of("token", token));
    }

    private static String submit(Replica replica, String path, String cookie, Map<String, String> typed)
            throws IOException, InterruptedException {
        String page = get(replica, path, cookie).body();
        Map<String, String> fields =
                new LinkedHashMap<>(Visitor.hiddenFields(page.replaceFirst("(?s).*class=\"fields\"", "")));
        fields.putAll(typed);
        HttpResponse<String> response = post(replica, path, cookie, fields);
        assertTrue(response.statusCode() == 201 || response.statusCode() == 303, path + " " + response.statusCode());
        return response.body();
    }

    private static HttpResponse<String> get(Replica replica, String path, String cookie)
            throws IOException, InterruptedException {
        return replica.send(HttpRequest.newBuilder(replica.uri(path)).header("Cookie", cookie));
    }

    private static HttpResponse<String> post(Replica replica, String path, String cookie, Map<String, String> fields)
            throws IOException, InterruptedException {
        return replica.send(form(replica, path, cookie, fields));
    }

    private static HttpRequest.Builder form(Replica replica, String path, String cookie, Map<String, String> fields) {
        return HttpRequest.newBuilder(replica.uri(path))
                .header("Cookie", cookie)
                .header("Sec-Fetch-Site", "same-origin")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(encode(fields)));
    }

    private static String encode(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private static String cookie(HttpResponse<String> response) {
        Matcher cookie =
                COOKIE.matcher(response.headers().firstValue("Set-Cookie").orElse(""));
        assertTrue(cookie.matches(), response.toString());
        return cookie.group(1);
    }
}
