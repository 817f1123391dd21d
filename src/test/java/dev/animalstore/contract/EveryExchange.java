package dev.animalstore.contract;

import io.quarkus.test.junit.callback.QuarkusTestBeforeClassCallback;
import io.restassured.RestAssured;
import io.restassured.builder.ResponseBuilder;
import io.restassured.filter.FilterContext;
import io.restassured.filter.OrderedFilter;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Compares every response to REST Assured in every Quarkus test with the API document, which is fetched from the same application, and fails
 * a test at the first one that differs. The class is registered as a service, so tests need not call it.
 */
public final class EveryExchange implements QuarkusTestBeforeClassCallback, OrderedFilter {
    private static final Map<URI, Conformance> APPLICATIONS = new ConcurrentHashMap<>();

    @Override
    public void beforeClass(Class<?> testClass) {
        if (RestAssured.filters().stream().noneMatch(EveryExchange.class::isInstance)) {
            RestAssured.filters(this);
        }
    }

    /** Outermost, so that it sees the effect of all other filters. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Response filter(
            FilterableRequestSpecification request, FilterableResponseSpecification expected, FilterContext context) {
        Response response = context.next(request, expected);
        // The body is a stream, which can be read once.
        Response whole = new ResponseBuilder()
                .clone(response)
                .setBody(response.asByteArray())
                .build();
        URI address = URI.create(request.getURI());
        boolean preflight = request.getMethod().equals("OPTIONS")
                && request.getHeaders().hasHeaderWithName("Access-Control-Request-Method");
        if (address.getRawPath().matches("/v1(/.*)?") && !preflight) {
            check(request.getMethod(), address, whole);
        }
        return whole;
    }

    private static void check(String method, URI address, Response response) {
        String path = address.getRawPath();
        List<String> faults = APPLICATIONS
                .computeIfAbsent(address.resolve("/"), EveryExchange::fetchDocument)
                .faults(method, path, response);
        if (!faults.isEmpty()) {
            throw new AssertionError(method + " " + path + " was answered " + response.statusCode()
                    + ", which is not as the API document says:\n  " + String.join("\n  ", faults));
        }
    }

    private static Conformance fetchDocument(URI application) {
        URI document = application.resolve("/q/openapi?format=json");
        return new Conformance(
                ApiDocument.parse(RestAssured.given().noFilters().get(document).asString()));
    }
}
