package dev.animalstore.web.openapi;

import io.quarkus.arc.Arc;
import io.quarkus.arc.Unremovable;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.smallrye.config.ConfigMapping;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.servers.Server;

/** Replaces the addresses of the document's first two servers by the configured ones. It is no bean, so it has no injection. */
@OpenApiFilter(stages = OpenApiFilter.RunStage.RUNTIME_STARTUP)
public final class ServersFilter implements OASFilter {
    @Unremovable
    @ConfigMapping(prefix = "animalstore.openapi")
    interface ServersConfig {
        Optional<String> productionUrl();

        Optional<String> stagingUrl();
    }

    @Override
    public void filterOpenAPI(OpenAPI document) {
        ServersConfig config = Arc.container().select(ServersConfig.class).get();
        List<Server> servers = document.getServers();
        if (servers != null && servers.size() == 2) {
            config.productionUrl().ifPresent(servers.get(0)::setUrl);
            config.stagingUrl().ifPresent(servers.get(1)::setUrl);
            if (servers.get(0).getUrl().startsWith("/")) {
                servers.get(0).setDescription("The server of this document");
            }
        }
    }
}
