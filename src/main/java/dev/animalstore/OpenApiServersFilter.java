package dev.animalstore;

import io.quarkus.arc.Unremovable;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.WithDefault;
import java.util.List;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;

/** Puts the configured addresses of production and staging into the OpenAPI document, in place of those of the committed file. */
@OpenApiFilter(stages = OpenApiFilter.RunStage.RUNTIME_STARTUP)
public final class OpenApiServersFilter implements OASFilter {
    /** Where the API is served, each address with the version segment {@code /v1} at its end. */
    @Unremovable
    @ConfigMapping(prefix = "animalstore.openapi")
    interface ServersConfig {
        /** The address that clients use. */
        @WithDefault("https://api.animalstore.example/v1")
        String productionUrl();

        /** The address to try things out at. */
        @WithDefault("https://staging.animalstore.example/v1")
        String stagingUrl();
    }

    @Override
    public void filterOpenAPI(OpenAPI document) {
        // Filters are not beans, so nothing is injected into them.
        ServersConfig config =
                ConfigProvider.getConfig().unwrap(SmallRyeConfig.class).getConfigMapping(ServersConfig.class);
        List<String> urls = List.of(config.productionUrl(), config.stagingUrl());
        for (int i = 0; i < urls.size(); i++) {
            document.getServers().get(i).setUrl(urls.get(i));
        }
    }
}
