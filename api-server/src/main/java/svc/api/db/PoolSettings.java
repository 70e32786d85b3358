package svc.api.db;

import java.time.Duration;

/**
 * How many connections may be open, and for how long.
 *
 * @param cap most connections of all logins together
 * @param perLogin most connections of one login; below the role's CONNECTION LIMIT, which all instances share
 * @param patience longest a caller waits for a connection
 * @param idle how long an unused connection stays open
 * @param lifetime age at which a connection is closed instead of reused: a backend's caches only grow
 */
public record PoolSettings(int cap, int perLogin, Duration patience, Duration idle, Duration lifetime) {
    public PoolSettings {
        if (cap < 1 || perLogin < 1) {
            throw new IllegalArgumentException("a pool holds one connection at least");
        }
    }

    /** What suits one pod in front of a server with a few hundred connections. */
    public static PoolSettings defaults() {
        return new PoolSettings(100, 20, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(30));
    }

    public PoolSettings withCap(int connections) {
        return new PoolSettings(connections, Math.min(perLogin, connections), patience, idle, lifetime);
    }

    public PoolSettings withPerLogin(int connections) {
        return new PoolSettings(cap, connections, patience, idle, lifetime);
    }

    public PoolSettings withPatience(Duration longest) {
        return new PoolSettings(cap, perLogin, longest, idle, lifetime);
    }

    public PoolSettings withIdle(Duration longest) {
        return new PoolSettings(cap, perLogin, patience, longest, lifetime);
    }
}
