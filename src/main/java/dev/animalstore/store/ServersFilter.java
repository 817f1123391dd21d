package dev.animalstore.store;

import io.quarkus.arc.Arc;
import io.quarkus.arc.Unremovable;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.smallrye.config.ConfigMapping;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.servers.Server;

/** Replaces the addresses of the document's two servers by the configured ones. It is no bean, so it has no injection. */
@OpenApiFilter(stages = OpenApiFilter.RunStage.RUNTIME_STARTUP)
public final class ServersFilter implements OASFilter {
    @Unremovable
    @ConfigMapping(prefix = "animalstore.openapi")
    interface Config {
        Optional<String> productionUrl();

        Optional<String> stagingUrl();
    }

    @Override
    public void filterOpenAPI(OpenAPI document) {
        Config config = Arc.container().select(Config.class).get();
        List<Server> servers = document.getServers();
        config.productionUrl().ifPresent(servers.get(0)::setUrl);
        config.stagingUrl().ifPresent(servers.get(1)::setUrl);
        if (servers.get(0).getUrl().startsWith("/")) {
            servers.get(0).setDescription("The server of this document");
        }
    }
}
