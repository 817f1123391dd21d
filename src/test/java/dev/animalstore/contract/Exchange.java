package dev.animalstore.contract;

import io.restassured.http.Headers;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A request and its response.
 *
 * @param method in capitals
 * @param target path and query as they were sent, percent-encoded
 * @param status of the response
 */
record Exchange(String method, String target, Message request, int status, Message response) {
    private static final String PREFLIGHT = "Access-Control-Request-Method";

    /** A request's or response's headers and body, which is empty if there is none. */
    record Message(Headers headers, String body) {
        /** The content type without parameters, in small letters, or an empty text. */
        String mediaType() {
            String type = Objects.requireNonNullElse(headers.getValue("Content-Type"), "");
            return type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
        }
    }

    /** The path as it was sent. */
    String path() {
        return target.replaceFirst("\\?.*", "");
    }

    /** The values of a query parameter, decoded. */
    List<String> query(String name) {
        String query = target.substring(path().length()).replaceFirst("^\\?", "");
        return Stream.of(query.split("&"))
                .filter(pair -> decode(pair.replaceFirst("=.*", "")).equals(name))
                .map(pair -> decode(pair.contains("=") ? pair.substring(pair.indexOf('=') + 1) : ""))
                .toList();
    }

    /** Whether the request belongs to the API, unlike a CORS preflight. */
    boolean isOfTheApi() {
        boolean preflight = method.equals("OPTIONS") && request.headers().hasHeaderWithName(PREFLIGHT);
        return (path().equals("/v1") || path().startsWith("/v1/")) && !preflight;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
