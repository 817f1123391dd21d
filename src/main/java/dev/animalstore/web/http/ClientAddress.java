package dev.animalstore.web.http;

import io.netty.util.NetUtil;
import io.vertx.core.net.SocketAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;

/**
 * The address of a client, as the subject of a limit, in one canonical form. Of IPv6 only the first 64 bits count, since a provider assigns
 * each customer that many addresses, and each would have its own limit. An IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2) counts as
 * the IPv4 address.
 */
public final class ClientAddress {
    private static final int IPV6_PREFIX_BYTES = 8;

    private ClientAddress() {}

    /** The subject of the remote address of a request, which is what our proxies report (ProxyHeaders); one for all without an address. */
    public static String of(SocketAddress peer) {
        // An address in brackets counts as a host name.
        String host = peer == null ? null : peer.host();
        if (host != null && NetUtil.isValidIpV4Address(host)) {
            return host;
        }
        InetAddress address = host == null ? null : NetUtil.createInetAddressFromIpAddressString(host);
        if (address == null) {
            return "unknown";
        }
        byte[] bytes = address.getAddress();
        if (address instanceof Inet6Address) {
            Arrays.fill(bytes, IPV6_PREFIX_BYTES, bytes.length, (byte) 0);
            return NetUtil.bytesToIpAddress(bytes) + "/64";
        }
        return NetUtil.bytesToIpAddress(bytes);
    }
}
