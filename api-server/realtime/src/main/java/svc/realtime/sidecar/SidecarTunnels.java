package svc.realtime.sidecar;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/** The sockets of this process that lead to sidecars. Thread-safe. */
@ApplicationScoped
class SidecarTunnels {
    private final Map<Sidecar, Set<SidecarTunnel>> open = new ConcurrentHashMap<>();
    private final Map<Sidecar, Long> lastUse = new ConcurrentHashMap<>();

    /** Whether there was room for one more. @param most of this sidecar, in this process */
    boolean add(Sidecar sidecar, SidecarTunnel tunnel, int most) {
        boolean[] added = {false};
        open.compute(sidecar, (key, known) -> {
            Set<SidecarTunnel> all = known == null ? ConcurrentHashMap.newKeySet() : known;
            if (all.size() < most) {
                added[0] = all.add(tunnel);
            }
            return all.isEmpty() ? null : all;
        });
        lastUse.put(sidecar, System.nanoTime());
        return added[0];
    }

    void remove(Sidecar sidecar, SidecarTunnel tunnel) {
        open.computeIfPresent(sidecar, (key, all) -> {
            all.remove(tunnel);
            return all.isEmpty() ? null : all;
        });
        lastUse.put(sidecar, System.nanoTime());
    }

    boolean isUsed(Sidecar sidecar) {
        return open.containsKey(sidecar);
    }

    /** When a socket last began or ended here, by {@link System#nanoTime}; of one that was never used, now. */
    long lastUse(Sidecar sidecar) {
        return lastUse.computeIfAbsent(sidecar, key -> System.nanoTime());
    }

    /** Forgets all but these. */
    void retain(Set<Sidecar> running) {
        lastUse.keySet().removeIf(sidecar -> !running.contains(sidecar) && !open.containsKey(sidecar));
    }

    int count() {
        return open.values().stream().mapToInt(Set::size).sum();
    }

    /** Ends the sockets of a project that is gone, or whose service was disabled. */
    void end(String ref) {
        each(tunnel -> {
            if (tunnel.ref().equals(ref)) {
                tunnel.end();
            }
        });
    }

    /** Asks clients to come back, which leads them to other processes; not all in the same moment. */
    void drain(Duration spread) {
        long millis = Math.max(1, spread.toMillis());
        each(tunnel -> tunnel.endWithin(ThreadLocalRandom.current().nextLong(millis)));
    }

    private void each(Consumer<SidecarTunnel> action) {
        open.values().forEach(all -> all.forEach(action));
    }
}
