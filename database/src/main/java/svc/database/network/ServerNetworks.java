package svc.database.network;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The networks in which a database server that a tenant names may lie (DESIGN, tenancy, rule 9). The address is judged
 * that a connection is about to use, so that a name that leads elsewhere a moment later changes nothing.
 *
 * @param networks in CIDR notation: an address in none of them is refused. Empty for any but loopback and {@code closed}
 * @param closed servers of the platform, as ranges or host names; they do not count where {@code networks} are given
 */
public record ServerNetworks(List<String> networks, List<String> closed) {
    /** Never a server: unspecified, link-local with the clouds' metadata, multicast, and IPv4 translated into IPv6. */
    private static final List<AddressRange> NEVER = AddressRange.all(List.of(
            "0.0.0.0/8",
            "100.100.100.200",
            "168.63.129.16",
            "169.254.0.0/16",
            "224.0.0.0/3",
            "::/128",
            "64:ff9b::/96",
            "64:ff9b:1::/48",
            "2002::/16",
            "fd00:ec2::254",
            "fe80::/10",
            "fec0::/10",
            "ff00::/8"));

    private static final List<AddressRange> LOOPBACK = AddressRange.all(List.of("127.0.0.0/8", "::1"));

    private static final String PART = ";";
    private static final String ITEM = ",";

    /** @throws IllegalArgumentException for a network that is none */
    public ServerNetworks {
        networks = networks.stream().map(String::strip).toList();
        closed = closed.stream()
                .map(String::strip)
                .filter(host -> !host.isEmpty())
                .toList();
        AddressRange.all(networks);
    }

    /** Whether a tenant's server may have this address. */
    public boolean allows(InetAddress address) {
        if (isIn(NEVER, address)) {
            return false;
        }
        if (!networks.isEmpty()) {
            return isIn(AddressRange.all(networks), address);
        }
        return !isIn(LOOPBACK, address) && closed.stream().noneMatch(entry -> isAt(entry, address));
    }

    /** @throws ConnectException for an address that is not allowed, or a name without one */
    public void check(SocketAddress server) throws ConnectException {
        if (!(server instanceof InetSocketAddress at) || at.getAddress() == null || !allows(at.getAddress())) {
            throw new ConnectException(server + " is not in the networks that svc.project-servers allows");
        }
    }

    private static boolean isIn(List<AddressRange> ranges, InetAddress address) {
        return ranges.stream().anyMatch(range -> range.contains(address));
    }

    private static boolean isAt(String entry, InetAddress address) {
        if (AddressRange.isLiteral(entry.split("/", 2)[0])) {
            return AddressRange.of(entry).contains(address);
        }
        try {
            return Stream.of(InetAddress.getAllByName(entry)).anyMatch(address::equals);
        } catch (UnknownHostException e) {
            // A server without an address is nowhere.
            return false;
        }
    }

    /** Carries the rules to the factory of the driver's sockets: a parameter of a JDBC URL that has others before. */
    public String jdbcParameter() {
        return "&socketFactoryArg=" + URLEncoder.encode(text(), StandardCharsets.UTF_8);
    }

    /** The rules as one text, for {@link #parse}. */
    public String text() {
        return String.join(ITEM, networks) + PART + String.join(ITEM, closed);
    }

    public static ServerNetworks parse(String text) {
        String[] parts = Objects.requireNonNull(text, "text is null").split(PART, -1);
        return new ServerNetworks(items(parts[0]), parts.length > 1 ? items(parts[1]) : List.of());
    }

    private static List<String> items(String list) {
        return list.isEmpty() ? List.of() : Arrays.asList(list.split(ITEM));
    }
}
