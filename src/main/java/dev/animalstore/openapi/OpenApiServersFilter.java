package dev.animalstore.openapi;

import io.quarkus.arc.Arc;
import io.quarkus.arc.Unremovable;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.servers.Server;

/** Replaces the server addresses of the committed OpenAPI document by the configured addresses of production and staging. */
@OpenApiFilter(stages = OpenApiFilter.RunStage.RUNTIME_STARTUP)
public final class OpenApiServersFilter implements OASFilter {
    /** The addresses of the API. Each ends with the version segment {@code /v1}. */
    @Unremovable
    @ConfigMapping(prefix = "animalstore.openapi")
    interface ServersConfig {
        @WithDefault("https://api.animalstore.example/v1")
        String productionUrl();

        @WithDefault("https://staging.animalstore.example/v1")
        String stagingUrl();
    }

    @Override
    public void filterOpenAPI(OpenAPI document) {
        // A filter is not a bean, so it has no injection.
        ServersConfig config = Arc.container().select(ServersConfig.class).get();
        Server production = document.getServers().get(0).url(config.productionUrl());
        if (config.productionUrl().startsWith("/")) {
            production.setDescription("The server of this document");
        }
        document.getServers().get(1).setUrl(config.stagingUrl());
    }
}
