package svc.testing;

import java.util.List;
import svc.database.network.ServerNetworks;

/** Servers on this machine in the role of those that tenants choose, which lie outside by default. */
public final class LoopbackServers {
    private static final ServerNetworks LOOPBACK = new ServerNetworks(List.of("127.0.0.0/8", "::1"), List.of());

    private LoopbackServers() {}

    /** The same database, allowed to be on this machine. */
    public static String allowed(String jdbcUrl) {
        return (jdbcUrl.contains("?") ? jdbcUrl : jdbcUrl + "?sslmode=disable") + LOOPBACK.jdbcParameter();
    }
}
