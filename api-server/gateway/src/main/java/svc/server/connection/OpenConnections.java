package svc.server.connection;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import svc.platform.clientip.CallerAddress;

/**
 * The open connections of this process. When there are too many, the one that was idle for longest gives way to the new
 * one; only when each carries a request is the new one refused. Thread-safe.
 */
final class OpenConnections {
    /** The request of a connection that is newer may have arrived and not been read yet. */
    private static final long FRESH_NANOS = 200_000_000L;

    private final ConnectionRules rules;
    private final CallerAddress addresses;
    private final Set<ConnectionGuard> open = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> byAddress = new ConcurrentHashMap<>();

    OpenConnections(ConnectionRules rules, CallerAddress addresses) {
        this.rules = rules;
        this.addresses = addresses;
    }

    /**
     * Counts a connection, until {@link #closed}.
     *
     * @return false if there is no room for it; it is not counted then
     */
    boolean admit(ConnectionGuard newcomer) {
        Optional<String> address = newcomer.address();
        boolean room = address.map(from -> byAddress.getOrDefault(from, 0) < rules.perAddress()
                                || evict(guard -> guard.address().equals(address)))
                        .orElse(true)
                && (open.size() < rules.max() || evict(guard -> true));
        if (room) {
            add(newcomer);
        }
        return room;
    }

    /** Counts a connection that is open already. */
    void add(ConnectionGuard guard) {
        if (open.add(guard)) {
            guard.address().ifPresent(from -> byAddress.merge(from, 1, Integer::sum));
        }
    }

    void closed(ConnectionGuard guard) {
        if (open.remove(guard)) {
            guard.address()
                    .ifPresent(from -> byAddress.computeIfPresent(from, (key, count) -> count == 1 ? null : count - 1));
        }
    }

    int count() {
        return open.size();
    }

    /**
     * The peer's {@linkplain CallerAddress#network network}, for which connections are counted. Empty for a trusted proxy,
     * which carries the calls of many, and for a socket of this machine.
     */
    Optional<String> address(Channel channel) {
        return Optional.ofNullable(channel.remoteAddress())
                .filter(InetSocketAddress.class::isInstance)
                .map(peer -> ((InetSocketAddress) peer).getAddress().getHostAddress())
                .filter(peer -> !addresses.isTrusted(peer))
                .map(CallerAddress::network);
    }

    /** Closes the connection among these that was idle for longest; false if none is idle. */
    private boolean evict(Predicate<ConnectionGuard> among) {
        long now = System.nanoTime();
        Optional<ConnectionGuard> longest = open.stream()
                .filter(among)
                .filter(ConnectionGuard::isIdle)
                .filter(guard -> now - guard.since() > FRESH_NANOS)
                .min(Comparator.comparingLong(ConnectionGuard::since));
        longest.ifPresent(ConnectionGuard::giveWay);
        return longest.isPresent();
    }
}
