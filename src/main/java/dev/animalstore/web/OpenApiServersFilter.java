package dev.animalstore.web;

import io.quarkus.arc.Arc;
import io.quarkus.arc.Unremovable;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;

/** Replaces the server addresses of the committed OpenAPI document by the configured ones. It is no bean, so it has no injection. */
@OpenApiFilter(stages = OpenApiFilter.RunStage.RUNTIME_STARTUP)
public final class OpenApiServersFilter implements OASFilter {
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
        ServersConfig config = Arc.container().select(ServersConfig.class).get();
        var production = document.getServers().get(0).url(config.productionUrl());
        if (config.productionUrl().startsWith("/")) {
            production.setDescription("The server of this document");
        }
        document.getServers().get(1).setUrl(config.stagingUrl());
    }
}
