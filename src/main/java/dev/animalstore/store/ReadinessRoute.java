package dev.animalstore.store;

import dev.animalstore.web.http.RequestScreening;
import io.quarkus.arc.profile.UnlessBuildProfile;
import io.smallrye.health.SmallRyeHealthReporter;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Tells load balancers that can only ask the port that they serve whether the replica is ready: {@code /} is 200 or 503, without a body. */
@Singleton
@UnlessBuildProfile(anyOf = {"dev", "test"})
final class ReadinessRoute {
    void serve(@Observes Router router, SmallRyeHealthReporter health) {
        router.route("/")
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .handler(exchange -> health.getReadinessAsync()
                        .subscribe()
                        .with(
                                ready -> {
                                    RequestScreening.addHeaders(exchange);
                                    exchange.response()
                                            .setStatusCode(ready.isDown() ? 503 : 200)
                                            .end();
                                },
                                exchange::fail));
    }
}
