package dev.animalstore.web.openapi;

import dev.animalstore.web.http.AuthorizePath;
import io.quarkus.arc.Arc;
import io.quarkus.arc.Unremovable;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.smallrye.config.ConfigMapping;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.servers.Server;

/**
 * Replaces the addresses of the document's first two servers by the configured ones, and removes the operation for proxies unless it is enabled. It is
 * no bean, so it has no injection.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.RUNTIME_STARTUP)
public final class ConfiguredFilter implements OASFilter {
    /** The identifier of the operation. */
    private static final String AUTHORIZE = "authorize";

    @Unremovable
    @ConfigMapping(prefix = "animalstore.openapi")
    interface ServersConfig {
        Optional<String> productionUrl();

        Optional<String> stagingUrl();
    }

    @Override
    public void filterOpenAPI(OpenAPI document) {
        if (document.getPaths() != null
                && !Arc.container().select(AuthorizePath.class).get().isEnabled()) {
            Map<String, PathItem> paths = document.getPaths().getPathItems();
            List<String> removed = paths.keySet().stream()
                    .filter(path -> paths.get(path).getGET() != null
                            && AUTHORIZE.equals(paths.get(path).getGET().getOperationId()))
                    .toList();
            removed.forEach(document.getPaths()::removePathItem);
        }
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
