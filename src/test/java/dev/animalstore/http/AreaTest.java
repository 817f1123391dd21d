package dev.animalstore.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.ext.web.RoutingContext;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AreaTest {
    @ParameterizedTest
    @CsvSource({
        "/v1, API",
        "/v1/, API",
        "/v1/pets, API",
        "/v1;x=1/pets, API",
        "/v1%2Fpets;x=1, API",
        "/admin/keys, ADMIN",
        "/admin;x=1/keys, ADMIN",
        "/console, CONSOLE",
        "/console;/keys, CONSOLE",
        "/q/openapi, DOCUMENTS",
        "/, NONE",
        "/v10, NONE",
        "/administration, NONE",
        "/v1%3Bx=1/pets, NONE",
        "//v1/pets, NONE",
        "/;x=1/v1/pets, NONE"
    })
    void path_hasTheAreaOfItsFirstSegment(String path, Area area) {
        assertEquals(area, Area.ofPath(path));
    }

    @Test
    void area_thatIsNotStored_isNotGuessed() {
        RoutingContext exchange = (RoutingContext) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RoutingContext.class}, (proxy, method, arguments) -> null);

        assertThrows(IllegalStateException.class, () -> Area.of(exchange));
    }
}
