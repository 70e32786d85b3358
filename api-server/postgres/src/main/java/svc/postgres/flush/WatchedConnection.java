package svc.postgres.flush;

import svc.postgres.TenantLogin;
import svc.postgres.pool.PooledConnection;

/** A connection lent for a flush or some, whose time the clock keeps; goes back when they are over. */
final class WatchedConnection {
    private final ProjectPools pools;
    private final RequestTimeouts clock;
    private final PooledConnection<TenantLogin, FlushConnection> lent;
    private final RequestTimeouts.Watched watched;

    /** @param late see {@link RequestTimeouts#watch} */
    WatchedConnection(
            ProjectPools pools,
            RequestTimeouts clock,
            PooledConnection<TenantLogin, FlushConnection> lent,
            Runnable late) {
        this.pools = pools;
        this.clock = clock;
        this.lent = lent;
        this.watched = clock.watch(lent, late);
    }

    FlushConnection session() {
        return lent.connection();
    }

    /** What ran is over, and the next thing has the whole time. */
    void restart() {
        clock.restart(watched);
    }

    /** Stops what runs; not more than once. */
    void cancel() {
        clock.cancel(watched);
    }

    boolean isCancelled() {
        return clock.isCancelled(watched);
    }

    /** @param clean whether the session is as it was before, as far as is known */
    void end(boolean clean) {
        boolean inTime = clock.end(watched);
        if (clean && inTime && session().clean()) {
            pools.release(lent);
        } else {
            pools.discard(lent);
        }
    }
}
