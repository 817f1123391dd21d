package dev.animalstore.web.http;

import io.vertx.ext.web.RoutingContext;
import org.jboss.resteasy.reactive.common.util.PathSegmentImpl;

/**
 * Whose a request is, by the first segment of the path that Quarkus REST matches: normalised, and without matrix parameters. Every filter
 * asks it, so that no two of them disagree on a spelling.
 */
public enum Area {
    /** Customers, whose requests need a key. */
    API("/v1"),
    /** The operators' API. */
    ADMIN("/admin"),
    /** The operators' pages. */
    CONSOLE("/console"),
    /** The OpenAPI document and Swagger UI, which are public. */
    DOCUMENTS("/q"),
    /** Any other path. Its resources respond as without the engine, to which no filter, mapper or reader of it adds anything. */
    NONE(null);

    private static final String NAME = Area.class.getName();
    private static final Area[] ALL = values();

    private final String root;

    Area(String root) {
        this.root = root;
    }

    /** The area of an exchange, which is found once. */
    public static Area of(RoutingContext exchange) {
        Area known = exchange.get(NAME);
        if (known != null) {
            return known;
        }
        Area area;
        try {
            area = ofPath(exchange.normalizedPath());
        } catch (IllegalArgumentException malformed) {
            // It is refused, with the headers of its area.
            area = ofMatched(exchange.request().path());
        }
        exchange.put(NAME, area);
        return area;
    }

    /** Whether the engine leaves a request to Quarkus and to the resources of others. */
    public static boolean isOutside(RoutingContext exchange) {
        Area area = of(exchange);
        return area == NONE || area == DOCUMENTS;
    }

    /** Whether its requests are authenticated as those of operators. */
    public boolean isForOperators() {
        return this == ADMIN || this == CONSOLE;
    }

    /** The area of a normalised path. */
    public static Area ofPath(String normalised) {
        return ofMatched(matched(normalised));
    }

    private static Area ofMatched(String path) {
        for (Area area : ALL) {
            if (area.root != null && isWithin(path, area.root)) {
                return area;
            }
        }
        return NONE;
    }

    /** Whether Quarkus REST would match a request, whose path is not malformed, at a path or below it. */
    static boolean isWithin(RoutingContext exchange, String root) {
        return isWithin(matched(exchange.normalizedPath()), root);
    }

    private static boolean isWithin(String path, String root) {
        return path.startsWith(root) && (path.length() == root.length() || path.charAt(root.length()) == '/');
    }

    /** The path that Quarkus REST matches: it decodes the segments of one that has matrix parameters, and drops empty ones. */
    private static String matched(String normalised) {
        if (normalised.indexOf(';') < 0) {
            return normalised;
        }
        StringBuilder path = new StringBuilder();
        for (String segment : normalised.split("/", -1)) {
            if (!segment.isEmpty()) {
                path.append('/').append(new PathSegmentImpl(segment, true).getPath());
            }
        }
        return path.toString();
    }
}
