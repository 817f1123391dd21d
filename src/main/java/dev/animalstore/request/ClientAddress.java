package dev.animalstore.request;

import io.netty.util.NetUtil;
import io.vertx.core.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The address of a client, as the subject of a limit, in one canonical form. Of IPv6 only the first 64 bits count, since a provider assigns
 * each customer that many addresses, and each would have its own limit. An IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2) counts as
 * the IPv4 address.
 */
public final class ClientAddress {
    private static final int IPV6_PREFIX_BYTES = 8;
    private static final int IPV6_BYTES = 16;
    private static final byte[] IPV4_MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    /** One subject for all requests without an address. */
    private static final String UNKNOWN = "unknown";

    private ClientAddress() {}

    /** The subject of a peer. If Quarkus is configured to trust the proxy, {@code peer} is already the address that the proxy reports. */
    public static String of(SocketAddress peer) {
        // An address in brackets counts as a host name.
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
