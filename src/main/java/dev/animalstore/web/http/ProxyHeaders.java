package dev.animalstore.web.http;

import io.netty.util.NetUtil;
import io.quarkus.vertx.http.runtime.ForwardedInfo;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.core.MultiMap;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.AllowForwardHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.hibernate.validator.constraints.Range;

/**
 * What the proxies in front of the service report of a request, none of it if there are none. Vert.x reads it, but fails at a list without
 * values, and takes the first address of {@code X-Forwarded-For}. So each list is reduced to the value that counts, and a malformed one to none.
 * Quarkus's own settings of proxies ({@code quarkus.http.proxy}) cannot be used: its parser fails before any code of the service runs.
 */
@Singleton
final class ProxyHeaders {
    private static final String ADDRESSES = "X-Forwarded-For";
    private static final String PREFIX = "X-Forwarded-Prefix";
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z]+");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

    /** Of a path without an empty segment. A pattern of segments would recurse for each, and exhaust the stack. */
    private static final Pattern PATH = Pattern.compile("(?!.*//)/[\\w.~/-]*[\\w.~-]");

    private final int proxies;

    ProxyHeaders(Config config) {
        proxies = config.proxies();
    }

    void allow(Router router) {
        router.allowForward(proxies == 0 ? AllowForwardHeaders.NONE : AllowForwardHeaders.X_FORWARD);
    }

    /** To be called before anything else asks a request for its address, scheme or host. */
    void read(RoutingContext exchange) {
        MultiMap headers = exchange.request().headers();
        if (proxies == 0) {
            if (Area.of(exchange) != Area.NONE) {
                headers.remove(PREFIX);
            }
            return;
        }
        String client = client(headers.getAll(ADDRESSES), proxies);
        headers.remove(ADDRESSES);
        if (client != null) {
            headers.set(ADDRESSES, client);
        }
        reduce(headers, "X-Forwarded-Proto", SCHEME.asMatchPredicate());
        reduce(headers, "X-Forwarded-Host", host -> isHost(HostAndPort.parseAuthority(host, -1)));
        reduce(headers, "X-Forwarded-Port", PORT.asMatchPredicate());
        reduce(headers, PREFIX, PATH.asMatchPredicate());
        String prefix = headers.get(PREFIX);
        if (prefix != null) {
            exchange.vertx().getOrCreateContext().putLocal(ForwardedInfo.CONTEXT_KEY, new Prefix(prefix));
        }
    }

    /** Reduces a list to its first value, without a slash at its end, or removes it if that is malformed. */
    private static void reduce(MultiMap headers, String name, Predicate<String> isWellFormed) {
        String list = headers.get(name);
        if (list != null) {
            headers.remove(name);
            String first = list.split(",", 2)[0].strip();
            String value = first.endsWith("/") ? first.substring(0, first.length() - 1) : first;
            if (isWellFormed.test(value)) {
                headers.set(name, value);
            }
        }
    }

    /** Whether links can be made of a host, with or without a port. */
    static boolean isHost(HostAndPort host) {
        if (host == null || isName(host.host())) {
            return host != null;
        }
        try {
            return new URI("http://" + host).getRawAuthority() != null;
        } catch (URISyntaxException malformed) {
            return false;
        }
    }

    /** Whether a host needs no parsing, which each request would pay for. */
    private static boolean isName(String host) {
        for (int i = 0; i < host.length(); i++) {
            char each = host.charAt(i);
            if (each > 'z' || !(Character.isLetterOrDigit(each) || each == '-' || each == '.')) {
                return false;
            }
        }
        return !host.isEmpty();
    }

    /**
     * The IP address that the outermost of our proxies has seen: as many places from the right as there are proxies, since each appends one.
     *
     * @param lists the lines of the header, which are one list
     * @return {@code null}, for the address of the connection, if the list is shorter or has no IP address there
     */
    static String client(List<String> lists, int proxies) {
        String[] addresses = String.join(",", lists).split(",", -1);
        if (addresses.length < proxies) {
            return null;
        }
        String address = addresses[addresses.length - proxies].strip();
        int colon = address.lastIndexOf(':');
        boolean hasPort = colon > 0 && (address.charAt(colon - 1) == ']' || address.indexOf(':') == colon);
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(hasPort ? address.substring(0, colon) : address);
        return bytes == null ? null : NetUtil.bytesToIpAddress(bytes);
    }

    /** Quarkus REST puts it in front of the path of a {@code Location}. */
    private record Prefix(String getPrefix) implements ForwardedInfo {
        @Override
        public String getScheme() {
            return null;
        }

        @Override
        public String getHost() {
            return null;
        }

        @Override
        public Integer getPort() {
            return null;
        }

        @Override
        public String getRemoteHost() {
            return null;
        }

        @Override
        public Integer getRemotePort() {
            return null;
        }
    }

    /** What stands in front of the service (docs/configuration.md). */
    @ConfigMapping(prefix = "animalstore")
    interface Config {
        @WithDefault("0")
        @Range(max = 100, message = "must be from {min} to {max}")
        int proxies();
    }
}
