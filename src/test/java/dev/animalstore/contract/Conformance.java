package dev.animalstore.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares exchanges with the document, including what it says in prose: every response is metered, and with a valid key an unknown path
 * gets 404 and an unsupported method 405.
 */
final class Conformance {
    private static final List<String> METERED =
            List.of("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit");

    /** Statuses that the gate sends before the operation is known, and those of defects and outages. */
    private static final Set<Integer> BEFORE_ROUTING = Set.of(401, 429, 500, 503);

    private static final Map<Integer, String> CODES_WITHOUT_OPERATION =
            Map.of(404, "not_found", 405, "method_not_allowed");

    private final ApiDocument document;

    Conformance(ApiDocument document) {
        this.document = document;
    }

    /** The differences between an exchange and the document. */
    List<String> faults(Exchange exchange) {
        Optional<Operation> operation = document.find(exchange.method(), exchange.path());
        List<String> faults = new ArrayList<>(responseFaults(exchange, operation));
        boolean refused = exchange.status() >= 400 && exchange.status() < 500;
        if (operation.isPresent() && !refused) {
            requestFaults(exchange, operation.get()).forEach(fault -> faults.add("not refused although " + fault));
        }
        return faults;
    }

    /** The operation's method and path in the document, for counting. */
    String operation(Exchange exchange) {
        return document.find(exchange.method(), exchange.path())
                .map(operation -> exchange.method() + " " + operation.path())
                .orElse(exchange.method() + (document.knows(exchange.path()) ? " (no operation)" : " (no such path)"));
    }

    private List<String> responseFaults(Exchange exchange, Optional<Operation> operation) {
        JsonNode response = operation
                .map(found ->
                        document.resolve(found.node().path("responses").path(Integer.toString(exchange.status()))))
                .orElseGet(() -> responseWithoutOperation(exchange));
        if (response.isMissingNode()) {
            return List.of("the status is not documented");
        }
        List<String> faults = new ArrayList<>(headerFaults(exchange, response.path("headers")));
        boolean options = exchange.method().equals("OPTIONS") && exchange.status() == 200;
        if ((options || exchange.status() == 405)
                && !exchange.response().headers().hasHeaderWithName("Allow")) {
            faults.add("Allow is absent");
        }
        if (options || exchange.method().equals("HEAD") || !response.has("content")) {
            faults.addAll(exchange.response().body().isEmpty() ? List.of() : List.of("there is a body"));
        } else {
            faults.addAll(document.faults(response.path("content"), exchange.response()));
            faults.addAll(errorFaults(exchange, operation));
        }
        return faults;
    }

    /** Checks the status and the code in the body of an error. */
    private static List<String> errorFaults(Exchange exchange, Optional<Operation> operation) {
        List<String> faults = new ArrayList<>();
        String body = exchange.response().body();
        if (exchange.status() >= 400 && !body.contains("\"status\":" + exchange.status())) {
            faults.add("the status in the body is another");
        }
        String code = CODES_WITHOUT_OPERATION.get(exchange.status());
        if (operation.isEmpty() && code != null && !body.contains("\"code\":\"" + code + "\"")) {
            faults.add("the code is not " + code);
        }
        return faults;
    }

    /** The documented response if the request matches no operation: that of any operation, or the members that all errors have. */
    private JsonNode responseWithoutOperation(Exchange exchange) {
        if (BEFORE_ROUTING.contains(exchange.status())) {
            return document.at("/paths/~1pets/get/responses/" + exchange.status());
        }
        boolean promised = exchange.status() == statusWithoutOperation(exchange);
        return promised ? document.at("/components/responses/InternalError") : MissingNode.getInstance();
    }

    private int statusWithoutOperation(Exchange exchange) {
        if (!document.knows(exchange.path())) {
            return 404;
        }
        return exchange.method().equals("OPTIONS") ? 200 : 405;
    }

    private List<String> headerFaults(Exchange exchange, JsonNode declared) {
        List<String> faults = new ArrayList<>();
        METERED.stream().filter(name -> !declared.has(name)).forEach(name -> faults.add(name + " is not documented"));
        declared.properties().forEach(entry -> {
            JsonNode header = document.resolve(entry.getValue());
            List<String> values = exchange.response().headers().getValues(entry.getKey());
            faults.addAll(valueFaults(entry.getKey(), header, values));
        });
        return faults;
    }

    private List<String> requestFaults(Exchange exchange, Operation operation) {
        List<String> faults = new ArrayList<>();
        String authorization = exchange.request().headers().getValue("Authorization");
        if (operation.node().has("security") && !String.valueOf(authorization).matches("(?i)bearer .*")) {
            faults.add("Authorization holds no bearer token");
        }
        for (JsonNode reference : operation.node().path("parameters")) {
            JsonNode parameter = document.resolve(reference);
            String name = parameter.get("name").asText();
            faults.addAll(valueFaults(
                    name,
                    parameter,
                    given(exchange, operation, parameter.get("in").asText(), name)));
        }
        JsonNode body = operation.node().path("requestBody");
        if (body.isObject()) {
            faults.addAll(document.faults(body.get("content"), exchange.request()));
        }
        return faults;
    }

    private static List<String> given(Exchange exchange, Operation operation, String in, String name) {
        return switch (in) {
            case "path" -> List.of(operation.pathValues().get(name));
            case "query" -> exchange.query(name);
            case "header" -> exchange.request().headers().getValues(name);
            default -> throw new IllegalArgumentException("a parameter in " + in);
        };
    }

    /** Checks a parameter or header, which occurs once, or not at all if it is optional. */
    private List<String> valueFaults(String name, JsonNode declared, List<String> values) {
        if (values.isEmpty()) {
            return declared.path("required").asBoolean() ? List.of(name + " is absent") : List.of();
        }
        return values.size() > 1
                ? List.of(name + " is there " + values.size() + " times")
                : document.faults(name, declared.get("schema"), values.get(0));
    }
}
