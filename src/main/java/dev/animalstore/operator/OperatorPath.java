package dev.animalstore.operator;

import jakarta.ws.rs.container.ContainerRequestContext;

/** The paths of the operators' API and of the console. */
public final class OperatorPath {
    /** The path of the console's first page. */
    public static final String ROOT = "/console";

    private OperatorPath() {}

    /** Whether a request is for any path of the API. */
    public static boolean isApi(ContainerRequestContext request) {
        return isBelow("/admin", request);
    }

    /** Whether a request is for a page of the console, even one that does not exist. The style sheet and the script are public. */
    public static boolean isPage(ContainerRequestContext request) {
        return isConsole(request) && !request.getUriInfo().getPath().startsWith(ROOT + "/assets/");
    }

    /** Whether a request is for any path of the console. */
    public static boolean isConsole(ContainerRequestContext request) {
        return isBelow(ROOT, request);
    }

    private static boolean isBelow(String root, ContainerRequestContext request) {
        String path = request.getUriInfo().getPath();
        return path.equals(root) || path.startsWith(root + "/");
    }
}
