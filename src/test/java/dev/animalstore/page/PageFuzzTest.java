package dev.animalstore.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.fixture.Fuzz;
import jakarta.validation.Validation;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Query parameters that were made from valid ones give a page within its bounds or are refused, and a cursor has one spelling. */
class PageFuzzTest {
    private static final String SCOPE = "/v1/pets?";
    private static final String CURSOR = Cursor.encode(4711, SCOPE);
    private static final Pages PAGES =
            new Pages(Validation.buildDefaultValidatorFactory().getValidator());

    @Test
    void parameters_madeFromValidOnes_areAPageOrRefused() {
        List<String> seeds = List.of(
                "limit=20&cursor=" + CURSOR,
                "limit=100",
                "limit=1&limit=2",
                "cursor=" + Cursor.encode(Long.MAX_VALUE, SCOPE),
                "cursor=" + Cursor.encode(1, "/v1/pets?&status=sold"));
        Fuzz.run(seeds, PageFuzzTest::parse);
    }

    private static void parse(String query) {
        UriInfo uri = uri(query);
        try {
            PageRequest page = PAGES.read(uri, "status", Optional.empty());
            assertTrue(page.fetchSize() >= 2 && page.fetchSize() <= 101);
            Optional.ofNullable(uri.getQueryParameters().getFirst("cursor"))
                    .ifPresent(cursor -> assertEquals(Cursor.encode(page.after(), SCOPE), cursor));
        } catch (ApiException refusal) {
            assertEquals(ErrorCode.INVALID_PARAMETER, refusal.code());
        }
    }

    /** The parts of a request's address that a page reads. */
    private static UriInfo uri(String query) {
        MultivaluedMap<String, String> parameters = new MultivaluedHashMap<>();
        for (String parameter : query.split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            parameters.add(name, equals < 0 ? "" : parameter.substring(equals + 1));
        }
        return (UriInfo) Proxy.newProxyInstance(
                UriInfo.class.getClassLoader(),
                new Class<?>[] {UriInfo.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getQueryParameters" -> parameters;
                    case "getPath" -> "/v1/pets";
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
