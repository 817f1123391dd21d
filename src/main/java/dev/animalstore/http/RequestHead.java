package dev.animalstore.http;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.NetUtil;
import java.util.Locale;
import java.util.regex.Pattern;

/** Corrects what Quarkus would not respond to, or misread, in the head of a request. */
final class RequestHead {
    private static final Pattern PERCENT_ALONE = Pattern.compile("%(?!\\p{XDigit}{2})");

    /** An element of {@code Forwarded} whose {@code for} is empty, or only a port. */
    private static final Pattern WITHOUT_ADDRESS =
            Pattern.compile("for=\"?+\\s*(:[^:]*)?([;,\"]|$)", Pattern.CASE_INSENSITIVE);

    private RequestHead() {}

    /**
     * Makes Vert.x refuse a version of HTTP other than 1.0 and 1.1. Escapes a percent sign that no two digits follow (WHATWG URL), and removes
     * malformed addresses of clients. Schemes get lower case.
     */
    static void correct(HttpRequest request) {
        boolean isHttp10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        if (!isHttp10 && !request.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
            request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("unknown version")));
        }
        // Vert.x compares instances, and natively responds 501 to another spelling.
        request.setProtocolVersion(isHttp10 ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1);
        String target = request.uri();
        int query = target.indexOf('?');
        if (query >= 0 && target.indexOf('%', query) >= 0) {
            request.setUri(target.substring(0, query)
                    + PERCENT_ALONE.matcher(target.substring(query)).replaceAll("%25"));
        }
        HttpHeaders headers = request.headers();
        String addresses = headers.get("X-Forwarded-For");
        if (addresses != null && !isAddress(addresses.split(",", 2)[0])) {
            headers.remove("X-Forwarded-For");
        }
        String schemes = headers.get("X-Forwarded-Proto");
        if (schemes != null) {
            headers.set("X-Forwarded-Proto", schemes.split(",", 2)[0].strip().toLowerCase(Locale.ROOT));
        }
        String forwarded = headers.get("Forwarded");
        if (forwarded != null && WITHOUT_ADDRESS.matcher(forwarded).find()) {
            headers.remove("Forwarded");
        } else if (forwarded != null) {
            headers.set("Forwarded", forwarded.toLowerCase(Locale.ROOT));
        }
    }

    /** Whether a text is an IP address, with or without a port. */
    private static boolean isAddress(String text) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon > 0 && (text.charAt(colon - 1) == ']' || text.indexOf(':') == colon);
        return NetUtil.createByteArrayFromIpAddressString(hasPort ? text.substring(0, colon) : text) != null;
    }
}
