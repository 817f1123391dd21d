package dev.animalstore.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.restassured.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Compares responses with the document, including what it says in prose: every response is metered, and with a valid key an unknown path
 * gets 404 and an unsupported method 405.
 */
final class Conformance {
    private static final List<String> METERED =
            List.of("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit");

    /** Statuses that the gate sends before the operation is known, and those of defects and outages. */
    private static final Set<Integer> BEFORE_ROUTING = Set.of(401, 429, 500, 503);

    private final ApiDocument document;

    Conformance(ApiDocument document) {
        this.document = document;
    }

    /**
     * A request and its response.
     *
     * @param method in capitals
     * @param path as it was sent, percent-encoded
     * @param headers those of the response
     * @param body that of the response, empty if there is none
     */
    record Exchange(String method, String path, int status, Headers headers, String body) {
        /** The content type without parameters, in small letters, or an empty text. */
        String mediaType() {
            String type = Objects.requireNonNullElse(headers.getValue("Content-Type"), "");
            return type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
        }
    }

    /** The differences between a response and the document. */
    List<String> faults(Exchange exchange) {
        Optional<JsonNode> operation =
                document.template(exchange.path()).flatMap(template -> document.operation(exchange.method(), template));
        JsonNode response = operation
                .map(found -> document.resolve(found.path("responses").path(Integer.toString(exchange.status()))))
                .orElseGet(() -> responseWithoutOperation(exchange));
        if (response.isMissingNode()) {
            return List.of("the status is not documented");
        }
        List<String> faults = new ArrayList<>(headerFaults(exchange, response.path("headers")));
        boolean options = exchange.method().equals("OPTIONS") && exchange.status() == 200;
        if ((options || exchange.status() == 405) && !exchange.headers().hasHeaderWithName("Allow")) {
            faults.add("Allow is absent");
        }
        if (options || exchange.method().equals("HEAD") || !response.has("content")) {
            faults.addAll(exchange.body().isEmpty() ? List.of() : List.of("there is a body"));
        } else {
            faults.addAll(document.bodyFaults(response.path("content"), exchange.mediaType(), exchange.body()));
            if (exchange.status() >= 400 && !exchange.body().contains("\"status\":" + exchange.status())) {
                faults.add("the status in the body is another");
            }
        }
        return faults;
    }

    /** The documented response if the request matches no operation: that of any operation, or the members that all errors have. */
    private JsonNode responseWithoutOperation(Exchange exchange) {
        int status = exchange.status();
        if (BEFORE_ROUTING.contains(status)) {
            return document.at("/paths/~1pets/get/responses/" + status);
        }
        boolean known = document.template(exchange.path()).isPresent();
        int promised = !known ? 404 : exchange.method().equals("OPTIONS") ? 200 : 405;
        return status == promised ? document.at("/components/responses/InternalError") : MissingNode.getInstance();
    }

    /** Checks that each header occurs once, or not at all if it is optional. */
    private List<String> headerFaults(Exchange exchange, JsonNode declared) {
        List<String> faults = new ArrayList<>();
        METERED.stream().filter(name -> !declared.has(name)).forEach(name -> faults.add(name + " is not documented"));
        declared.properties().forEach(entry -> {
            String name = entry.getKey();
            JsonNode header = document.resolve(entry.getValue());
            List<String> values = exchange.headers().getValues(name);
            if (values.size() > 1) {
                faults.add(name + " is there " + values.size() + " times");
            } else if (values.size() == 1) {
                faults.addAll(document.headerFaults(name, header.get("schema"), values.get(0)));
            } else if (header.path("required").asBoolean()) {
                faults.add(name + " is absent");
            }
        });
        return faults;
    }
}
