package svc.server.connection;

import java.time.Duration;
import svc.platform.config.ApiConfig;

/**
 * The limits of connections.
 *
 * @param max open at the same time
 * @param perAddress from one address
 * @param idle without a request
 * @param head from the first byte of a request to the end of its head
 * @param stalled for a reader that takes nothing
 */
record ConnectionRules(int max, int perAddress, Duration idle, Duration head, Duration stalled) {
    /** Of heap for each connection: buffers, handlers, and the head of a request. */
    private static final long HEAP_BYTES = 128 << 10;

    private static final int MIN_CONNECTIONS = 512;
    private static final int MAX_CONNECTIONS = 20_000;
    private static final Duration MAX_CHECK_INTERVAL = Duration.ofSeconds(5);

    static ConnectionRules of(ApiConfig.Connections config, long heap) {
        int byHeap = (int) Math.clamp(heap / HEAP_BYTES, MIN_CONNECTIONS, MAX_CONNECTIONS);
        int max = config.max().orElse(byHeap);
        return new ConnectionRules(
                max, config.perAddress().orElse(Math.max(1, max / 2)), config.idle(), config.head(), config.stalled());
    }

    /** Interval between two checks of a connection. */
    Duration check() {
        Duration shortest = head.compareTo(stalled) < 0 ? head : stalled;
        Duration quarter = (shortest.compareTo(idle) < 0 ? shortest : idle).dividedBy(4);
        return quarter.compareTo(MAX_CHECK_INTERVAL) < 0 ? quarter : MAX_CHECK_INTERVAL;
    }
}
