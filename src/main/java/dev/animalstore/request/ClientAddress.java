package dev.animalstore.request;

import io.netty.util.NetUtil;
import io.vertx.core.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The address that a request came from, as the subject of a budget, however a proxy spells it. Of IPv6 only the first 64 bits count, since a
 * customer of a provider is given that many addresses at once and would have a budget for each. An IPv4 address that is mapped into IPv6
 * (RFC 4291, section 2.5.5.2) is that IPv4 address.
 */
public final class ClientAddress {
    private static final int IPV6_PREFIX_BYTES = 8;
    private static final int IPV6_BYTES = 16;
    private static final byte[] IPV4_MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    /** One subject for all that a proxy gives no address of. */
    private static final String UNKNOWN = "unknown";

    private ClientAddress() {}

    /** The proxy's word for the address is taken only where Quarkus is told to trust the proxy; then it stands in {@code peer} already. */
    public static String of(SocketAddress peer) {
        // An address in brackets is taken for the name of a host.
        String host = peer == null ? null : peer.host();
        byte[] bytes = host == null ? null : NetUtil.createByteArrayFromIpAddressString(host);
        if (bytes == null) {
            return UNKNOWN;
        }
        if (bytes.length != IPV6_BYTES) {
            return NetUtil.bytesToIpAddress(bytes);
        }
        int prefix = IPV4_MAPPED_PREFIX.length;
        if (Arrays.equals(bytes, 0, prefix, IPV4_MAPPED_PREFIX, 0, prefix)) {
            return NetUtil.bytesToIpAddress(bytes, prefix, IPV6_BYTES - prefix);
        }
        return HexFormat.of().formatHex(bytes, 0, IPV6_PREFIX_BYTES) + "::/64";
    }
}
