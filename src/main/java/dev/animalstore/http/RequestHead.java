package dev.animalstore.http;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
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
    private static final Pattern CLOSE = Pattern.compile("(?:^|,)\\s*close\\s*(?:$|,)", Pattern.CASE_INSENSITIVE);

    private static final Pattern PERCENT_ALONE = Pattern.compile("%(?!\\p{XDigit}{2})");

    /** An element of {@code Forwarded} whose {@code for} is empty, or only a port. */
    private static final Pattern WITHOUT_ADDRESS =
            Pattern.compile("for=\"?+\\s*(:[^:]*)?([;,\"]|$)", Pattern.CASE_INSENSITIVE);

    /** The scheme in {@code Forwarded}. */
    private static final Pattern SCHEME = Pattern.compile("proto=\"?+https?", Pattern.CASE_INSENSITIVE);

    private RequestHead() {}

    /**
     * Makes Vert.x refuse a later version of HTTP and see every request to close the connection. Splits a target in absolute form into path and
     * host, and escapes its query. Marks a malformed host, and removes malformed addresses of proxies.
     *
     * @param last whether the connection is to be closed in any case
     * @return whether the connection closes after this request
     */
    static boolean correct(HttpRequest request, boolean last) {
        HttpHeaders headers = request.headers();
        HttpVersion version = request.protocolVersion();
        boolean isHttp10 = version.equals(HttpVersion.HTTP_1_0);
        if (!isHttp10 && !version.equals(HttpVersion.HTTP_1_1)) {
            request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("unknown version")));
        }
        // Vert.x compares instances, and would close the connection of another spelling without saying so.
        request.setProtocolVersion(isHttp10 ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1);
        boolean malformed = hasMalformedHost(headers);
        if (!malformed && !request.uri().startsWith("/") && (isHttp10 || headers.contains(HttpHeaderNames.HOST))) {
            splitTarget(request);
            malformed = hasMalformedHost(headers);
        }
        escapeQuery(request);
        if (malformed) {
            headers.set(RequestScreening.MALFORMED_HOST, "");
        }
        removeMalformedAddresses(headers);
        rewriteSchemes(headers);
        boolean closes = last || malformed || request.decoderResult().isFailure() || asksToClose(headers);
        if (closes) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        return closes;
    }

    /** Whether no body follows. */
    static boolean isWhole(HttpRequest request) {
        return request.decoderResult().isSuccess()
                && request.headers().get(HttpHeaderNames.CONTENT_LENGTH, "0").equals("0")
                && !request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
    }

    /** Splits a target in absolute form, whose host counts, whatever {@code Host} says (RFC 9112, section 3.2.2). */
    private static void splitTarget(HttpRequest request) {
        Matcher absolute = ABSOLUTE.matcher(request.uri());
        if (absolute.matches()) {
            String path = absolute.group(2);
            request.setUri(path.startsWith("/") ? path : "/" + path);
            request.headers().set(HttpHeaderNames.HOST, absolute.group(1));
        }
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

    /** Vert.x finds no option in a list, and Netty none beside a tab. */
    private static boolean asksToClose(HttpHeaders headers) {
        return headers.contains(HttpHeaderNames.CONNECTION)
                && CLOSE.matcher(String.join(",", headers.getAll(HttpHeaderNames.CONNECTION)))
                        .find();
    }

    private static boolean hasMalformedHost(HttpHeaders headers) {
        List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
        return hosts.size() > 1 || (hosts.size() == 1 && HostAndPort.parseAuthority(hosts.get(0), -1) == null);
    }

    /** Removes the address that a proxy reports if it is malformed: Quarkus would not respond to the request. */
    private static void removeMalformedAddresses(HttpHeaders request) {
        String addresses = request.get(X_FORWARDED_FOR);
        if (addresses != null && !isAddress(addresses.split(",", 2)[0])) {
            request.remove(X_FORWARDED_FOR);
        }
        String forwarded = request.get(FORWARDED);
        if (forwarded != null && WITHOUT_ADDRESS.matcher(forwarded).find()) {
            request.remove(FORWARDED);
        }
    }

    /** Quarkus compares the scheme that a proxy reports with its case and with white space around it. */
    private static void rewriteSchemes(HttpHeaders request) {
        String scheme = request.get(X_FORWARDED_PROTO);
        if (scheme != null) {
            request.set(X_FORWARDED_PROTO, scheme.split(",", 2)[0].strip().toLowerCase(Locale.ROOT));
        }
        String forwarded = request.get(FORWARDED);
        if (forwarded != null) {
            request.set(
                    FORWARDED,
                    SCHEME.matcher(forwarded).replaceAll(found -> found.group().toLowerCase(Locale.ROOT)));
        }
    }

    /** Whether a text is an IP address, with or without a port. */
    private static boolean isAddress(String text) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon > 0 && (text.charAt(colon - 1) == ']' || text.indexOf(':') == colon);
        return NetUtil.createByteArrayFromIpAddressString(hasPort ? text.substring(0, colon) : text) != null;
    }
}
