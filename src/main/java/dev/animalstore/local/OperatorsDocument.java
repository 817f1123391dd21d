package dev.animalstore.local;

import io.quarkus.arc.profile.IfBuildProfile;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;

/**
 * Serves the operators' OpenAPI document to the Swagger UI in dev mode. The OpenAPI extension can serve several documents, but each of them
 * starts with the public file.
 */
@IfBuildProfile("dev")
@Singleton
final class OperatorsDocument {
    void serve(@Observes Router router) {
        router.get("/q/openapi/admin").blockingHandler(OperatorsDocument::send);
    }

    /** Reads the file every time, so that a change is visible at once; Vert.x would cache it. */
    private static void send(RoutingContext exchange) {
        try (var file = OperatorsDocument.class.getResourceAsStream("/META-INF/openapi-admin.yaml")) {
            exchange.response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/yaml")
                    .end(Buffer.buffer(file.readAllBytes()));
        } catch (IOException e) {
            exchange.fail(e);
        }
    }
}
