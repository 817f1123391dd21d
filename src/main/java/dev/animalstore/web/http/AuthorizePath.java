package dev.animalstore.web.http;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/** The path at which proxies ask whether they may admit a request to another service (docs/gateways.md), if that is enabled. */
@Singleton
public final class AuthorizePath {
    /** It, and every path below it, since some proxies append the path of the request. */
    public static final String PATH = "/v1/authorize";

    /** Whether the gate serves others too. */
    @ConfigMapping(prefix = "animalstore.gate")
    interface Config {
        @WithDefault("false")
        boolean authorize();
    }

    private final boolean enabled;

    AuthorizePath(Config config) {
        enabled = config.authorize();
    }

    public boolean isEnabled() {
        return enabled;
    }

    /** Whether a request, with any method, only asks. */
    public boolean isAsked(RoutingContext exchange) {
        return enabled && Area.isWithin(exchange, PATH);
    }
}
