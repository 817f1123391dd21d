package dev.animalstore.web.openapi;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.smallrye.openapi.api.SmallRyeOpenAPI;
import io.smallrye.openapi.model.Extensions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.Paths;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;
import org.eclipse.microprofile.openapi.models.servers.Server;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;
import org.jboss.resteasy.reactive.ResponseStatus;

/**
 * Adds the engine's operations for customers, and what {@code api.yaml} says of every operation of the API: the key, the headers of each response,
 * and the errors. What the service says itself of a path, an operation or a component stays.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public final class ApiOperations implements OASFilter {
    private static final String LIMIT = "Limit";
    private static final String ROOT = "/v1";
    private static final String EVERY = "/every";
    private static final Pattern OPERATORS = Pattern.compile("/(admin|console)(/.*)?");

    private final OpenAPI api = read();
    private final Map<String, String> statuses = new HashMap<>();

    /** Finds {@code @ResponseStatus}, which the scan does not know. */
    public ApiOperations(IndexView index) {
        for (AnnotationInstance status : index.getAnnotations(ResponseStatus.class)) {
            if (status.target().kind() == AnnotationTarget.Kind.METHOD) {
                MethodInfo method = status.target().asMethod();
                Operation operation = OASFactory.createOperation();
                Extensions.setMethodRef(operation, method.declaringClass(), method);
                statuses.put(
                        Extensions.getMethodRef(operation),
                        Integer.toString(status.value().asInt()));
            }
        }
    }

    /** Quarkus does not look for documents in the jars of dependencies. */
    private static OpenAPI read() {
        return SmallRyeOpenAPI.builder()
                .enableModelReader(false)
                .enableStandardStaticFiles(false)
                .enableAnnotationScan(false)
                .enableStandardFilter(false)
                .withCustomStaticFile(() -> ApiOperations.class.getResourceAsStream("api.yaml"))
                .build()
                .model();
    }

    @Override
    public void filterOpenAPI(OpenAPI document) {
        if (document.getPaths() == null) {
            return;
        }
        List<Server> servers = document.getServers();
        boolean relative = servers != null
                && !servers.isEmpty()
                && servers.stream().allMatch(server -> server.getUrl().endsWith(ROOT));
        api.getTags().stream()
                .filter(tag -> document.getTags() == null || !document.getTags().contains(tag))
                .forEach(document::addTag);
        api.getPaths().getPathItems().forEach((path, item) -> {
            String shown = relative ? path : ROOT + path;
            if (!path.equals(EVERY) && !document.getPaths().hasPathItem(shown)) {
                document.getPaths().addPathItem(shown, item);
            }
        });
        Paths paths = OASFactory.createPaths();
        document.getPaths().getPathItems().forEach((path, item) -> addPath(paths, path, item, relative));
        document.setPaths(paths);
        addComponents(document);
        removeUnusedLimit(document);
    }

    /** The scan adds the type of a page's limit also if no scanned operation has one. */
    private static void removeUnusedLimit(OpenAPI document) {
        boolean used = document.getPaths().getPathItems().values().stream()
                .flatMap(item -> item.getOperations().values().stream())
                .flatMap(operation -> Stream.ofNullable(operation.getParameters()))
                .flatMap(List::stream)
                .anyMatch(parameter -> parameter.getSchema() != null
                        && ("#/components/schemas/" + LIMIT)
                                .equals(parameter.getSchema().getRef()));
        if (!used) {
            document.getComponents().removeSchema(LIMIT);
        }
    }

    /**
     * Adds a path, which for a scanned operation is that of the resource.
     *
     * @param relative whether the addresses of all servers end with that of the API, which then is not repeated in paths
     */
    private void addPath(Paths paths, String path, PathItem item, boolean relative) {
        boolean scanned = item.getOperations().values().stream().anyMatch(one -> Extensions.getMethodRef(one) != null);
        if (scanned && OPERATORS.matcher(path).matches()) {
            throw new IllegalStateException(
                    "mp.openapi.scan.exclude.packages must be as the engine sets it, which excludes"
                            + " the operators' resources; exclude others by mp.openapi.scan.exclude.classes");
        }
        String shown = relative && scanned && path.startsWith(ROOT + "/") ? path.substring(ROOT.length()) : path;
        if ((path + "/").startsWith(ROOT + "/") || (relative && !scanned)) {
            item.getOperations().values().forEach(this::complete);
        }
        if (relative && scanned && shown.equals(path)) {
            item.addServer(OASFactory.createServer().url("/"));
        }
        paths.addPathItem(shown, item);
    }

    private void complete(Operation operation) {
        PathItem every = api.getPaths().getPathItem(EVERY);
        Operation model = operation.getRequestBody() == null ? every.getGET() : every.getPOST();
        if (operation.getSecurity() == null) {
            operation.setSecurity(model.getSecurity());
        }
        if (operation.getResponses() == null) {
            operation.setResponses(OASFactory.createAPIResponses());
        }
        APIResponses responses = operation.getResponses();
        String status = statuses.get(Extensions.getMethodRef(operation));
        if (status != null && responses.hasAPIResponse("200") && !responses.hasAPIResponse(status)) {
            responses.addAPIResponse(status, responses.getAPIResponse("200"));
            responses.removeAPIResponse("200");
        }
        model.getResponses().getAPIResponses().forEach((code, response) -> {
            APIResponse known = responses.getAPIResponse(code);
            // Each error has a body. Quarkus adds a 400 without one.
            if (known == null || (known.getRef() == null && known.getContent() == null)) {
                responses.addAPIResponse(code, response);
            }
        });
        responses.getAPIResponses().values().forEach(this::addHeaders);
    }

    private void addHeaders(APIResponse response) {
        if (response.getRef() == null) {
            var headers = api.getComponents().getResponses().get("Error").getHeaders();
            addAbsent(headers, response.getHeaders(), response::addHeader);
        }
    }

    private void addComponents(OpenAPI document) {
        if (document.getComponents() == null) {
            document.setComponents(OASFactory.createComponents());
        }
        Components own = document.getComponents();
        Components more = api.getComponents();
        addAbsent(more.getSecuritySchemes(), own.getSecuritySchemes(), own::addSecurityScheme);
        addAbsent(more.getParameters(), own.getParameters(), own::addParameter);
        addAbsent(more.getSchemas(), own.getSchemas(), own::addSchema);
        addAbsent(more.getHeaders(), own.getHeaders(), own::addHeader);
        addAbsent(more.getResponses(), own.getResponses(), own::addResponse);
        own.getResponses().values().forEach(this::addHeaders);
    }

    private static <T> void addAbsent(Map<String, T> more, Map<String, T> own, BiConsumer<String, T> add) {
        more.forEach((name, value) -> {
            if (own == null || !own.containsKey(name)) {
                add.accept(name, value);
            }
        });
    }
}
