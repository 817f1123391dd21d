package dev.animalstore.operator;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.RawHttp;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other spellings of the operators' paths, of {@code /admin} and of the console, are not served to strangers either. */
@QuarkusTest
class OperatorPathTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%61dmin/keys",
                "/%63onsole/keys",
                "//ROOT/keys",
                "/ROOT;a=b/keys",
                "/;a=b/ROOT/keys",
                "/./ROOT/keys",
                "/v1/../ROOT/keys",
                "/q/../ROOT",
                "/ROOT%2Fkeys",
                "/ADMIN/keys",
                "/CONSOLE/keys",
                "/ROOT/keys;a=b",
                "/ROOT//keys",
                "/console/assets/../keys",
                "/console/assets/..%2Fkeys",
                "/console/sign-in/../keys",
                "/console/sign-in;a/..;/keys",
                "/console/sign-in/"
            })
    void request_withoutCredentials_isNeverServed(String path) {
        List<Integer> refusals = path.matches(".*/(\\.|;a/\\.).*") ? List.of(400) : List.of(303, 401, 404);
        for (String root : List.of("admin", "console")) {
            RawHttp response = RawHttp.send("GET", path.replace("ROOT", root), "HTTP/1.1");
            assertTrue(refusals.contains(response.status()), response::toString);
            assertFalse(response.body().contains("secrets"), response::toString);
            assertFalse(response.body().contains("<table"), response::toString);
            assertFalse(response.body().contains("sign-out"), response::toString);
        }
    }
}
