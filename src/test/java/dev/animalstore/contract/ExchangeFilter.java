package dev.animalstore.contract;

import dev.animalstore.contract.Exchange.Message;
import io.restassured.builder.ResponseBuilder;
import io.restassured.filter.FilterContext;
import io.restassured.filter.OrderedFilter;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Fails a test at the first exchange that differs from the document, which is fetched from the same application. */
final class ExchangeFilter implements OrderedFilter {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Map<String, Conformance> applications = new ConcurrentHashMap<>();
    private final ExchangeCount count;

    ExchangeFilter(ExchangeCount count) {
        this.count = count;
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
        String target = request.getURI().replaceFirst("^[a-z]+://[^/]*", "");
        Exchange exchange = new Exchange(
                request.getMethod(),
                target,
                new Message(request.getHeaders(), text(request.getBody())),
                response.statusCode(),
                new Message(response.headers(), text(body)));
        if (exchange.isOfTheApi()) {
            String application = request.getURI().substring(0, request.getURI().length() - target.length());
            check(exchange, applications.computeIfAbsent(application, ExchangeFilter::fetchDocument));
        }
        // The body is a stream, which can be read once.
        return new ResponseBuilder().clone(response).setBody(body).build();
    }

    private void check(Exchange exchange, Conformance conformance) {
        List<String> faults = conformance.faults(exchange);
        if (!faults.isEmpty()) {
            throw new AssertionError(exchange.method() + " " + exchange.target() + " was answered " + exchange.status()
                    + ", which is not as the API document says:\n  " + String.join("\n  ", faults));
        }
        count.add(conformance.operation(exchange), exchange.status());
    }

    private static String text(Object body) {
        return body instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : Objects.toString(body, "");
    }

    private static Conformance fetchDocument(String application) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(application + "/q/openapi?format=json"))
                .timeout(TIMEOUT)
                .build();
        try {
            return new Conformance(ApiDocument.parse(HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
