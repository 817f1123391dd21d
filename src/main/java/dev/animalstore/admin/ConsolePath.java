package dev.animalstore.admin;

import jakarta.ws.rs.container.ContainerRequestContext;

/** The paths of the console, whose pages are audited like {@code /admin}. */
public final class ConsolePath {
    /** The path of the first page. */
    public static final String ROOT = "/console";

    /** The folder of the style sheet and the script, which are public. */
    private static final String ASSETS = ROOT + "/assets/";

    private ConsolePath() {}

    /** Whether a request is for a page of the console, even one that does not exist. */
    public static boolean isPage(ContainerRequestContext request) {
        return matches(request) && !request.getUriInfo().getPath().startsWith(ASSETS);
    }

    /** Whether a request is for any path of the console. */
    public static boolean matches(ContainerRequestContext request) {
        String path = request.getUriInfo().getPath();
        return path.equals(ROOT) || path.startsWith(ROOT + "/");
    }
}
