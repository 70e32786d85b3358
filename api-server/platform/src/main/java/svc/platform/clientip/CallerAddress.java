package svc.platform.clientip;

import io.netty.util.NetUtil;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Where a call came from. X-Forwarded-For is read from its end, as far as the proxies are ours: what stands before the
 * first address that is not a trusted proxy's, the caller wrote itself, and may have made up.
 */
@Singleton
public class CallerAddress {
    /** More hops than any installation has; the header of a caller that plays with it is much longer. */
    private static final int MAX_HOPS = 16;

    private static final int IPV4_SITE_BYTES = 3;
    private static final int IPV6_SITE_BYTES = 6;
    private static final int IPV6_NETWORK_BYTES = 8;

    private final List<AddressRange> trusted;

    @Inject
    CallerAddress(ProxyConfig config) {
        this(config.trusted().orElse(List.of()));
    }

    /** @param trusted as {@link ProxyConfig#trusted()} */
    public CallerAddress(List<String> trusted) {
        this.trusted = trusted.stream().map(AddressRange::of).toList();
    }

    /**
     * @param connection address of the connection's peer
     * @param forwarded all values of X-Forwarded-For, in their order
     */
    public Optional<String> of(Optional<String> connection, List<String> forwarded) {
        Optional<String> nearest = connection;
        String[] hops = String.join(",", forwarded).split(",", -1);
        for (int i = hops.length - 1; i >= Math.max(0, hops.length - MAX_HOPS); i--) {
            String hop = hops[i].strip();
            if (nearest.filter(this::isTrusted).isEmpty()
                    || AddressRange.bytes(hop).isEmpty()) {
                break;
            }
            nearest = Optional.of(hop);
        }
        return nearest;
    }

    /**
     * What stands for one caller where calls are counted: the address itself in IPv4; in IPv6 its /64, because a subscriber
     * gets a network of that size at least and chooses addresses in it at will. Another text stands for itself.
     */
    public static String network(String address) {
        int zone = address.indexOf('%');
        String plain = zone < 0 ? address : address.substring(0, zone);
        return AddressRange.bytes(plain)
                .map(bytes -> bytes.length == 4
                        ? NetUtil.bytesToIpAddress(bytes)
                        : NetUtil.bytesToIpAddress(first(bytes, IPV6_NETWORK_BYTES)) + "/64")
                .orElse(address);
    }

    /**
     * What stands for one customer of a network provider, where things that callers leave behind are counted: the /24 of an IPv4
     * address, the /48 of an IPv6 address, which holds 65,536 networks. Another text stands for itself.
     */
    public static String site(String address) {
        int zone = address.indexOf('%');
        String plain = zone < 0 ? address : address.substring(0, zone);
        return AddressRange.bytes(plain)
                .map(bytes -> bytes.length == 4
                        ? NetUtil.bytesToIpAddress(first(bytes, IPV4_SITE_BYTES)) + "/24"
                        : NetUtil.bytesToIpAddress(first(bytes, IPV6_SITE_BYTES)) + "/48")
                .orElse(address);
    }

    /** The first bytes of an address, and zeros. */
    private static byte[] first(byte[] address, int bytes) {
        return Arrays.copyOf(Arrays.copyOf(address, bytes), address.length);
    }

    /** Whether the address is a trusted proxy's: its connections carry the requests of many callers. */
    public boolean isTrusted(String address) {
        return AddressRange.bytes(address)
                .filter(bytes -> trusted.stream().anyMatch(range -> range.contains(bytes)))
                .isPresent();
    }
}
