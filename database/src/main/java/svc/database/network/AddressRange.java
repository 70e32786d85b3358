package svc.database.network;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** A range of IP addresses, in CIDR notation. An IPv4 address inside of an IPv6 one is the IPv4 address. */
public final class AddressRange {
    /** Nothing is looked up: a name is no literal. */
    private static final Pattern LITERAL = Pattern.compile("[0-9a-fA-F.:]+");

    private final byte[] address;
    private final int bits;

    private AddressRange(byte[] address, int bits) {
        this.address = address;
        this.bits = bits;
    }

    /** @throws IllegalArgumentException for any other text, a host name included */
    public static AddressRange of(String cidr) {
        String[] parts = cidr.strip().split("/", 2);
        try {
            byte[] address = literal(parts[0]).getAddress();
            int length = address.length * Byte.SIZE;
            int bits = parts.length == 2 ? Integer.parseInt(parts[1]) : length;
            if (bits < 0 || bits > length) {
                throw new IllegalArgumentException(cidr + " is no range of addresses");
            }
            return new AddressRange(address, bits);
        } catch (NumberFormatException | UnknownHostException e) {
            throw new IllegalArgumentException(cidr + " is no range of addresses", e);
        }
    }

    public static List<AddressRange> all(List<String> cidrs) {
        return cidrs.stream().map(AddressRange::of).toList();
    }

    /** Whether a text is an address rather than a host name. */
    static boolean isLiteral(String text) {
        return LITERAL.matcher(text).matches();
    }

    private static InetAddress literal(String text) throws UnknownHostException {
        if (!isLiteral(text)) {
            throw new UnknownHostException(text);
        }
        return InetAddress.getByName(text);
    }

    public boolean contains(InetAddress other) {
        byte[] bytes = plain(other);
        if (bytes.length != address.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % Byte.SIZE;
            if ((address[bit / Byte.SIZE] & mask) != (bytes[bit / Byte.SIZE] & mask)) {
                return false;
            }
        }
        return true;
    }

    private static byte[] plain(InetAddress address) {
        byte[] bytes = address.getAddress();
        return address instanceof Inet4Address
                        || !(address instanceof Inet6Address six)
                        || !six.isIPv4CompatibleAddress()
                        || six.isLoopbackAddress()
                        || six.isAnyLocalAddress()
                ? bytes
                : Arrays.copyOfRange(bytes, 12, 16);
    }
}
