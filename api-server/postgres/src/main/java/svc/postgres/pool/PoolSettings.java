package svc.postgres.pool;

import java.time.Duration;

/**
 * How many connections may be open, and for how long.
 *
 * @param cap most connections of all logins together
 * @param perLogin most connections of one login; below the role's CONNECTION LIMIT, which all instances share
 * @param acquireTimeout longest a caller waits for a connection
 * @param idle how long an unused connection stays open
 * @param lifetime age at which a connection is closed instead of reused: a backend's caches only grow
 * @param opening most connections of one login that are being opened at once
 * @param shares of projects and organisations
 */
public record PoolSettings(
        int cap,
        int perLogin,
        Duration acquireTimeout,
        Duration idle,
        Duration lifetime,
        int opening,
        PoolShares shares) {
    /** As many opened at once as the login may have. */
    public PoolSettings(
            int cap, int perLogin, Duration acquireTimeout, Duration idle, Duration lifetime, PoolShares shares) {
        this(cap, perLogin, acquireTimeout, idle, lifetime, Integer.MAX_VALUE, shares);
    }

    public PoolSettings {
        if (cap < 1 || perLogin < 1 || opening < 1) {
            throw new IllegalArgumentException("a pool holds one connection at least");
        }
    }

    /** Defaults for one pod and a server with a few hundred connections. */
    public static PoolSettings defaults() {
        return new PoolSettings(
                100, 20, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(30), PoolShares.defaults());
    }

    public PoolSettings withCap(int connections) {
        return new PoolSettings(
                connections, Math.min(perLogin, connections), acquireTimeout, idle, lifetime, opening, shares);
    }

    public PoolSettings withPerLogin(int connections) {
        return new PoolSettings(cap, connections, acquireTimeout, idle, lifetime, opening, shares);
    }

    public PoolSettings withAcquireTimeout(Duration longest) {
        return new PoolSettings(cap, perLogin, longest, idle, lifetime, opening, shares);
    }

    public PoolSettings withIdle(Duration longest) {
        return new PoolSettings(cap, perLogin, acquireTimeout, longest, lifetime, opening, shares);
    }

    public PoolSettings withOpening(int connections) {
        return new PoolSettings(cap, perLogin, acquireTimeout, idle, lifetime, connections, shares);
    }

    public PoolSettings withShares(PoolShares other) {
        return new PoolSettings(cap, perLogin, acquireTimeout, idle, lifetime, opening, other);
    }
}
