package dev.animalstore.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A trusted proxy that sends an invalid host or scheme: requests are refused before any other work. */
class TrustedProxyIT {
    private static final String PET = "{\"name\":\"Forwarded\",\"categoryId\":1}";

    @AutoClose
    private static Replica replica;

    private static TestKey key;

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.start(Map.of(
                "quarkus.http.proxy.proxy-address-forwarding", "true",
                "quarkus.http.proxy.enable-forwarded-host", "true",
                "quarkus.http.proxy.trusted-proxies", "127.0.0.1"));
        key = TestKey.unlimited();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "X-Forwarded-Host | a b",
                "X-Forwarded-Host | [",
                "X-Forwarded-Host | %zz",
                "X-Forwarded-Host | a/b",
                "X-Forwarded-Host | user@host",
                "X-Forwarded-Host | ''",
                "X-Forwarded-Proto | a b",
                "X-Forwarded-Proto | ''",
                "X-Forwarded-Proto | javascript"
            })
    void forwardedAddress_thatIsMalformed_isRefusedAndNothingAdded(String header, String value) throws SQLException {
        int before = pets();

        HttpResponse<String> response =
                replica.post("/v1/pets", key, PET, header, value).join();

        assertEquals(400, response.statusCode());
        assertTrue(response.body().startsWith("{\"code\":\"invalid_parameter\","), response::body);
        assertEquals(before, pets());
        assertEquals(
                400,
                replica.get("/v1/pets?limit=1", "Authorization", "Bearer " + key.text(), header, value)
                        .join()
                        .statusCode());
    }

    @Test
    void forwardedAddress_thatIsWellFormed_isUsedInLinks() {
        HttpResponse<String> response = replica.post(
                        "/v1/pets", key, PET, "X-Forwarded-Host", "api.example:8443", "X-Forwarded-Proto", "https")
                .join();

        assertEquals(201, response.statusCode());
        assertTrue(response.headers()
                .firstValue("Location")
                .orElseThrow()
                .startsWith("https://api.example:8443/v1/pets/"));
    }

    private static int pets() throws SQLException {
        try (var connection = TestServers.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select count(*) from pet where name = 'Forwarded'")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
