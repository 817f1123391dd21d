package dev.animalstore.contract;

import dev.animalstore.contract.Conformance.Exchange;
import io.quarkus.test.junit.callback.QuarkusTestBeforeClassCallback;
import io.restassured.RestAssured;
import io.restassured.builder.ResponseBuilder;
import io.restassured.filter.FilterContext;
import io.restassured.filter.OrderedFilter;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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
        byte[] body = response.asByteArray();
        URI address = URI.create(request.getURI());
        boolean preflight = request.getMethod().equals("OPTIONS")
                && request.getHeaders().hasHeaderWithName("Access-Control-Request-Method");
        if (address.getRawPath().matches("/v1(/.*)?") && !preflight) {
            Exchange exchange = new Exchange(
                    request.getMethod(),
                    address.getRawPath(),
                    response.statusCode(),
                    response.headers(),
                    new String(body, StandardCharsets.UTF_8));
            check(exchange, APPLICATIONS.computeIfAbsent(address.resolve("/"), EveryExchange::fetchDocument));
        }
        // The body is a stream, which can be read once.
        return new ResponseBuilder().clone(response).setBody(body).build();
    }

    private static void check(Exchange exchange, Conformance conformance) {
        List<String> faults = conformance.faults(exchange);
        if (!faults.isEmpty()) {
            throw new AssertionError(exchange.method() + " " + exchange.path() + " was answered " + exchange.status()
                    + ", which is not as the API document says:\n  " + String.join("\n  ", faults));
        }
    }

    private static Conformance fetchDocument(URI application) {
        URI document = application.resolve("/q/openapi?format=json");
        return new Conformance(
                ApiDocument.parse(RestAssured.given().noFilters().get(document).asString()));
    }
}
