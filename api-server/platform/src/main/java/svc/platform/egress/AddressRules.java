package svc.platform.egress;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which addresses a tenant may have us call. Loopback, private, link-local, carrier and cluster ranges are closed in
 * every spelling, IPv4 inside of IPv6 included (IANA special-purpose address registries); only what is plainly public is
 * open.
 */
public final class AddressRules {
    private final List<Range> closed;
    private final List<Range> open;

    /** @param bits how many leading bits of the address count */
    private record Range(byte[] address, int bits) {
        static Range of(String cidr) {
            String[] parts = cidr.split("/", 2);
            try {
                byte[] address = literal(parts[0]).getAddress();
                int bits = parts.length == 2 ? Integer.parseInt(parts[1]) : address.length * Byte.SIZE;
                if (bits < 0 || bits > address.length * Byte.SIZE) {
                    throw new IllegalArgumentException(cidr + " is no range of addresses");
                }
                return new Range(address, bits);
            } catch (NumberFormatException | UnknownHostException e) {
                throw new IllegalArgumentException(cidr + " is no range of addresses", e);
            }
        }

        /** Nothing is looked up: a name is no literal. */
        private static InetAddress literal(String text) throws UnknownHostException {
            if (!text.matches("[0-9a-fA-F.:]+")) {
                throw new UnknownHostException(text);
            }
            return InetAddress.getByName(text);
        }

        boolean contains(byte[] other) {
            if (other.length != address.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> bit % Byte.SIZE;
                if ((address[bit / Byte.SIZE] & mask) != (other[bit / Byte.SIZE] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    private static final List<String> SPECIAL = List.of(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",
            "::/3",
            "2001::/23",
            "2001:db8::/32",
            "2002::/16",
            "3fff::/20",
            "4000::/2",
            "8000::/1");

    /**
     * @param cluster ranges of this installation that are closed as well: pods, services, nodes
     * @param exempt ranges that are open although they would be closed; for tests and networks of one's own
     */
    public AddressRules(List<String> cluster, List<String> exempt) {
        this.closed =
                Stream.concat(SPECIAL.stream(), cluster.stream()).map(Range::of).toList();
        this.open = exempt.stream().map(Range::of).toList();
    }

    /** Whether it may be called. */
    public boolean allows(InetAddress address) {
        byte[] bytes = plain(address);
        if (open.stream().anyMatch(range -> range.contains(bytes))) {
            return true;
        }
        return closed.stream().noneMatch(range -> range.contains(bytes));
    }

    /**
     * The address of a name, for a connection to that very address: a name that leads elsewhere a moment later changes
     * nothing.
     *
     * @throws EgressFailedException when any address of the name may not be called
     */
    public InetAddress resolve(String name) throws UnknownHostException {
        List<InetAddress> addresses = List.of(InetAddress.getAllByName(name));
        // One closed address among open ones is how a name is made to lead inside by chance.
        if (!addresses.stream().allMatch(this::allows)) {
            throw new EgressFailedException(EgressFailedException.Reason.REFUSED, "the address is not public");
        }
        return addresses.getFirst();
    }

    /** An IPv4 address that is written as IPv6 is the IPv4 address. */
    private static byte[] plain(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (address instanceof Inet4Address
                || !(address instanceof Inet6Address six)
                || !six.isIPv4CompatibleAddress()) {
            return bytes;
        }
        return Arrays.copyOfRange(bytes, 12, 16);
    }
}
