package dev.animalstore.web.openapi;

import dev.animalstore.web.http.AuthorizePath;
import io.quarkus.arc.Arc;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.PathItem;

/** Removes the operation for proxies from the document unless it is enabled. It is no bean, so it has no injection. */
@OpenApiFilter(stages = OpenApiFilter.RunStage.RUNTIME_STARTUP)
public final class AuthorizeFilter implements OASFilter {
    /** The identifier of the operation. */
    private static final String AUTHORIZE = "authorize";

    @Override
    public void filterOpenAPI(OpenAPI document) {
        if (document.getPaths() == null
                || Arc.container().select(AuthorizePath.class).get().isEnabled()) {
            return;
        }
        Map<String, PathItem> paths = document.getPaths().getPathItems();
        List<String> removed = paths.keySet().stream()
                .filter(path -> paths.get(path).getGET() != null
                        && AUTHORIZE.equals(paths.get(path).getGET().getOperationId()))
                .toList();
        removed.forEach(document.getPaths()::removePathItem);
    }
}
