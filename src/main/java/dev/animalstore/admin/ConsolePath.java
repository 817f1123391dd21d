package dev.animalstore.admin;

import jakarta.ws.rs.container.ContainerRequestContext;

/** Which paths are the console's, whose pages are audited as the operations are. */
public final class ConsolePath {
    /** The path of its first page. */
    public static final String ROOT = "/console";

    /** What is under this is its style and its script, which anybody may have. */
    private static final String ASSETS = ROOT + "/assets/";

    private ConsolePath() {}

    /** Whether a request is for a page of the console, be there one of that name or not. */
    public static boolean isPage(ContainerRequestContext request) {
        return matches(request) && !request.getUriInfo().getPath().startsWith(ASSETS);
    }

    /** Whether a request is for anything of the console. */
    public static boolean matches(ContainerRequestContext request) {
        String path = request.getUriInfo().getPath();
        return path.equals(ROOT) || path.startsWith(ROOT + "/");
    }
}
