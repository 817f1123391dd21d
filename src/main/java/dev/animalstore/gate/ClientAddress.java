package dev.animalstore.gate;

import io.netty.util.NetUtil;
import io.vertx.core.net.SocketAddress;
import java.util.HexFormat;

/**
 * The address that a request came from, as the subject of a budget. Of IPv6 only the first 64 bits count, since a customer of a provider
 * is given that many addresses at once and would have a budget for each.
 */
final class ClientAddress {
    private static final int IPV6_PREFIX_BYTES = 8;
    private static final int IPV6_BYTES = 16;

    private ClientAddress() {}

    /** The proxy's word for the address is taken only where Quarkus is told to trust the proxy; then it stands in {@code peer} already. */
    static String of(SocketAddress peer) {
        String host = peer == null ? null : peer.hostAddress();
        byte[] bytes = host == null ? null : NetUtil.createByteArrayFromIpAddressString(host);
        if (bytes == null || bytes.length != IPV6_BYTES) {
            return String.valueOf(host);
        }
        return HexFormat.of().formatHex(bytes, 0, IPV6_PREFIX_BYTES) + "::/64";
    }
}
