package dev.animalstore.http;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.NetUtil;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Corrects the head of a request where Vert.x or Quarkus would misread it. */
final class RequestHead {
    private static final String X_FORWARDED_FOR = "X-Forwarded-For";
    private static final String X_FORWARDED_PROTO = "X-Forwarded-Proto";
    private static final String FORWARDED = "Forwarded";
    private static final Pattern ABSOLUTE = Pattern.compile("http://([^/?#]*)(.*)", Pattern.CASE_INSENSITIVE);

    private static final Pattern PERCENT_ALONE = Pattern.compile("%(?!\\p{XDigit}{2})");

    /** An element of {@code Forwarded} whose {@code for} is empty, or only a port. */
    private static final Pattern WITHOUT_ADDRESS =
            Pattern.compile("for=\"?+\\s*(:[^:]*)?([;,\"]|$)", Pattern.CASE_INSENSITIVE);

    private RequestHead() {}

    /**
     * Makes Vert.x refuse a later version of HTTP and see every request to close the connection. Splits a target in absolute form into path and
     * host, and escapes its query. Removes a host that is malformed or not given once, of which Quarkus would use what it can read behind a
     * proxy, and malformed addresses of proxies.
     */
    static void correct(HttpRequest request) {
        HttpHeaders headers = request.headers();
        boolean isHttp10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        if (!isHttp10 && !request.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
            request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("unknown version")));
        }
        // Vert.x compares instances, and would close the connection of another spelling without saying so.
        request.setProtocolVersion(isHttp10 ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1);
        if (isMalformed(headers.getAll(HttpHeaderNames.HOST)) || !splitTarget(request)) {
            headers.remove(HttpHeaderNames.HOST);
        }
        escapeQuery(request);
        correctForwarded(headers);
        // Vert.x finds no option in a list, and Netty none beside a tab.
        if (headers.contains(HttpHeaderNames.CONNECTION)) {
            String options = String.join(",", headers.getAll(HttpHeaderNames.CONNECTION));
            headers.set(HttpHeaderNames.CONNECTION, options.replace('\t', ' '));
        }
        if (!HttpUtil.isKeepAlive(request)) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
    }

    /** Whether no body follows. */
    static boolean isWhole(HttpRequest request) {
        return request.decoderResult().isSuccess()
                && request.headers().get(HttpHeaderNames.CONTENT_LENGTH, "0").equals("0")
                && !request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
    }

    private static boolean isMalformed(List<String> hosts) {
        return hosts.size() != 1 || HostAndPort.parseAuthority(hosts.get(0), -1) == null;
    }

    /** Splits a target in absolute form, whose host counts, whatever {@code Host} says (RFC 9112, section 3.2.2), and returns whether it can be. */
    private static boolean splitTarget(HttpRequest request) {
        Matcher absolute = request.uri().startsWith("/") ? null : ABSOLUTE.matcher(request.uri());
        if (absolute == null || !absolute.matches()) {
            return true;
        }
        String path = absolute.group(2);
        request.setUri(path.startsWith("/") ? path : "/" + path);
        request.headers().set(HttpHeaderNames.HOST, absolute.group(1));
        return !isMalformed(List.of(absolute.group(1)));
    }

    /** A percent sign that no two digits follow stands for itself (WHATWG URL). Quarkus would refuse it, without a body and before the key. */
    private static void escapeQuery(HttpRequest request) {
        String target = request.uri();
        int query = target.indexOf('?');
        if (query >= 0 && target.indexOf('%', query) >= 0) {
            request.setUri(target.substring(0, query)
                    + PERCENT_ALONE.matcher(target.substring(query)).replaceAll("%25"));
        }
    }

    /**
     * Removes the address that a proxy reports if it is malformed, since Quarkus would not respond to the request. Rewrites the scheme, which
     * Quarkus compares with its case and with white space around it.
     */
    private static void correctForwarded(HttpHeaders headers) {
        String addresses = headers.get(X_FORWARDED_FOR);
        if (addresses != null && !isAddress(addresses.split(",", 2)[0])) {
            headers.remove(X_FORWARDED_FOR);
        }
        String schemes = headers.get(X_FORWARDED_PROTO);
        if (schemes != null) {
            headers.set(X_FORWARDED_PROTO, schemes.split(",", 2)[0].strip().toLowerCase(Locale.ROOT));
        }
        String forwarded = headers.get(FORWARDED);
        if (forwarded != null && WITHOUT_ADDRESS.matcher(forwarded).find()) {
            headers.remove(FORWARDED);
        } else if (forwarded != null) {
            headers.set(FORWARDED, forwarded.toLowerCase(Locale.ROOT));
        }
    }

    /** Whether a text is an IP address, with or without a port. */
    private static boolean isAddress(String text) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon > 0 && (text.charAt(colon - 1) == ']' || text.indexOf(':') == colon);
        return NetUtil.createByteArrayFromIpAddressString(hasPort ? text.substring(0, colon) : text) != null;
    }
}
