package dev.animalstore.http;

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
        if (proxies == 0) {
            headers.remove(PREFIX);
            return;
        }
        String[] addresses = String.join(",", headers.getAll(ADDRESSES)).split(",", -1);
        byte[] client = addresses.length < proxies ? null : parse(addresses[addresses.length - proxies].strip());
        headers.remove(ADDRESSES);
        if (client != null) {
            headers.set(ADDRESSES, NetUtil.bytesToIpAddress(client));
        }
        String host = headers.get(HOST);
        if (host != null && HostAndPort.parseAuthority(host.split(",", 2)[0], -1) == null) {
            headers.remove(HOST);
        }
        String prefix = headers.get(PREFIX);
        if (prefix != null) {
            String withoutEnd = prefix.replaceFirst("/$", "");
            headers.set(PREFIX, withoutEnd);
            exchange.vertx().getOrCreateContext().putLocal(ForwardedInfo.CONTEXT_KEY, new Prefix(withoutEnd));
        }
    }

    /** An IP address, with or without a port; {@code null} if it is none. */
    private static byte[] parse(String address) {
        int colon = address.lastIndexOf(':');
        boolean hasPort = colon > 0 && (address.charAt(colon - 1) == ']' || address.indexOf(':') == colon);
        return NetUtil.createByteArrayFromIpAddressString(hasPort ? address.substring(0, colon) : address);
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
