package dev.animalstore.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.animalstore.fixture.Responses;
import io.restassured.http.Headers;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Compares responses with the document, including what it says in prose: with a valid key an unknown path gets 404 and an unsupported method
 * 405.
 */
final class Conformance {
    /** The responses that the gate sends before the operation is known, and those of defects and outages. */
    private static final Map<Integer, String> BEFORE_ROUTING =
            Map.of(401, "Unauthorized", 429, "TooManyRequests", 500, "InternalError", 503, "ServiceUnavailable");

    /** The resources of tests. They are scanned, except those in packages of the engine: {@code default} documents their own errors. */
    private static final Pattern SCANNED = Pattern.compile("/v1/samples(/.*)?");

    private final ApiDocument document;

    Conformance(ApiDocument document) {
        this.document = document;
    }

    /**
     * The differences between a response and the document.
     *
     * @param method in capitals
     * @param path as it was sent, percent-encoded
     */
    List<String> faults(String method, String path, Response actual) {
        int status = actual.statusCode();
        String body = Responses.text(actual);
        Optional<JsonNode> operation =
                document.template(path).flatMap(template -> document.operation(method, template));
        if (operation.isEmpty() && status < 400 && SCANNED.matcher(path).matches()) {
            return List.of();
        }
        JsonNode response = operation
                .map(documented -> response(documented.path("responses"), path, status))
                .orElseGet(() -> responseWithoutOperation(method, path, status));
        if (response.isMissingNode()) {
            return List.of("the status is not documented: add it to the operation in openapi.yaml");
        }
        List<String> faults = new ArrayList<>(headerFaults(actual.headers(), response.path("headers")));
        boolean options = method.equals("OPTIONS") && status == 200;
        if ((options || status == 405) && actual.header("Allow") == null) {
            faults.add("Allow is absent");
        }
        if (options || method.equals("HEAD") || !response.has("content")) {
            faults.addAll(body.isEmpty() ? List.of() : List.of("there is a body"));
        } else {
            String type = Objects.requireNonNullElse(actual.header("Content-Type"), "")
                    .replaceFirst(" *;.*", "");
            faults.addAll(document.bodyFaults(response.path("content"), type, body));
            if (status >= 400 && !body.contains("\"status\":" + status)) {
                faults.add("the status in the body is another");
            }
        }
        return faults;
    }

    private JsonNode response(JsonNode responses, String path, int status) {
        boolean own = status >= 400 && SCANNED.matcher(path).matches();
        JsonNode response = responses.path(Integer.toString(status));
        return document.resolve(own && response.isMissingNode() ? responses.path("default") : response);
    }

    /** The documented response if the request matches no operation: that of any operation, or the members that all errors have. */
    private JsonNode responseWithoutOperation(String method, String path, int status) {
        if (BEFORE_ROUTING.containsKey(status)) {
            return document.at("/components/responses/" + BEFORE_ROUTING.get(status));
        }
        boolean known = document.template(path).isPresent();
        int promised = !known ? 404 : method.equals("OPTIONS") ? 200 : 405;
        return status == promised || SCANNED.matcher(path).matches()
                ? document.at("/components/responses/InternalError")
                : MissingNode.getInstance();
    }

    /** Checks that each header occurs once, or not at all if it is optional. */
    private List<String> headerFaults(Headers headers, JsonNode declared) {
        List<String> faults = new ArrayList<>();
        declared.properties().forEach(entry -> {
            String name = entry.getKey();
            JsonNode header = document.resolve(entry.getValue());
            List<String> values = headers.getValues(name);
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
