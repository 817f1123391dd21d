package dev.animalstore.gate;

import java.util.regex.Pattern;

/** Which paths belong to the API. A path is compared as Quarkus REST will match it: normalised, and without matrix parameters. */
final class ApiPath {
    private static final String API = "/v1";
    private static final Pattern MATRIX_PARAMETERS = Pattern.compile(";[^/]*");
    private static final Pattern SLASHES = Pattern.compile("/{2,}");

    private ApiPath() {}

    /** Whether a normalised path is {@code /v1} or below it. */
    static boolean matches(String normalizedPath) {
        String path = normalizedPath;
        if (path.indexOf(';') >= 0) {
            path = SLASHES.matcher(MATRIX_PARAMETERS.matcher(path).replaceAll(""))
                    .replaceAll("/");
        }
        return path.startsWith(API) && (path.length() == API.length() || path.charAt(API.length()) == '/');
    }
}
