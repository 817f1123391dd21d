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
import java.util.List;
import org.hibernate.validator.constraints.Range;

/**
 * What the proxies in front of the service report of a request, none of it if there are none. Vert.x reads the scheme, the host and the port,
 * and from {@code X-Forwarded-For} the first address, so that this list is reduced to the one that counts. Quarkus's own settings of proxies
 * ({@code quarkus.http.proxy}) cannot be used: its parser fails without a response at a list that begins with a comma.
 */
@Singleton
final class ProxyHeaders {
    private static final String ADDRESSES = "X-Forwarded-For";
    private static final String HOST = "X-Forwarded-Host";
    private static final String PREFIX = "X-Forwarded-Prefix";

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
        String prefix = headers.get(PREFIX);
        headers.remove(PREFIX);
        if (proxies == 0) {
            return;
        }
        String client = client(headers.getAll(ADDRESSES), proxies);
        headers.remove(ADDRESSES);
        if (client != null) {
            headers.set(ADDRESSES, client);
        }
        String host = headers.get(HOST);
        if (host != null && HostAndPort.parseAuthority(host.split(",", 2)[0], -1) == null) {
            headers.remove(HOST);
        }
        if (prefix != null && prefix.matches("(/[\\w.~-]+)+/?")) {
            String withoutEnd = prefix.replaceFirst("/$", "");
            headers.set(PREFIX, withoutEnd);
            exchange.vertx().getOrCreateContext().putLocal(ForwardedInfo.CONTEXT_KEY, new Prefix(withoutEnd));
        }
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
        @Range(max = 100)
        int proxies();
    }
}
