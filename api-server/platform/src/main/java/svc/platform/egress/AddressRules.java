package svc.platform.egress;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import svc.database.network.AddressRange;

/**
 * Which addresses a tenant may have us call. Loopback, private, link-local, carrier and cluster ranges are closed in
 * every spelling, IPv4 inside of IPv6 included (IANA special-purpose address registries); only what is plainly public is
 * open.
 */
public final class AddressRules {
    private final List<AddressRange> closed;
    private final List<AddressRange> open;

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
        this.closed = AddressRange.all(
                Stream.concat(SPECIAL.stream(), cluster.stream()).toList());
        this.open = AddressRange.all(exempt);
    }

    /** Whether it may be called. */
    public boolean allows(InetAddress address) {
        return open.stream().anyMatch(range -> range.contains(address))
                || closed.stream().noneMatch(range -> range.contains(address));
    }

    /**
     * The first of a name's addresses, for a connection to that very address: a name that leads elsewhere a moment later
     * changes nothing.
     *
     * @throws EgressFailedException when any of the addresses may not be called
     */
    public InetAddress judged(List<InetAddress> addresses) {
        // One closed address among open ones is how a name is made to lead inside by chance.
        if (!addresses.stream().allMatch(this::allows)) {
            throw new EgressFailedException(EgressFailedException.Reason.REFUSED, "the address is not public");
        }
        return addresses.getFirst();
    }
}
