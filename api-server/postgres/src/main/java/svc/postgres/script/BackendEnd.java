package svc.postgres.script;

import java.io.IOException;
import java.time.Duration;
import org.jboss.logging.Logger;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;

/**
 * Waits for the end of a backend whose script was cut off. A few expressions of PostgreSQL check for no interrupt for
 * minutes; until then the backend takes a processor, and its project's place with it. On a server that a tenant chose
 * nothing is awaited: its processors are not the platform's, and its answers would decide when the place comes back.
 */
final class BackendEnd {
    private static final Logger LOG = Logger.getLogger(BackendEnd.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

    /** A server that was not reached for as long is gone or has been restarted, and the backend with it. */
    private static final Duration UNREACHABLE = Duration.ofMinutes(10);

    private final SessionEnd sessionEnd;

    BackendEnd(SessionEnd sessionEnd) {
        this.sessionEnd = sessionEnd;
    }

    /** Calls back once the backend has ended, or its server was unreachable for ten minutes. */
    void await(OwnerLogin owner, ServerAddress address, int backend, Runnable ended) {
        if (owner.server() != Server.PLATFORM) {
            ended.run();
            return;
        }
        Thread.ofVirtual().name("await-end-of-backend").start(() -> {
            try {
                long reached = System.nanoTime();
                State state = state(owner, address, backend);
                while (state == State.RUNS
                        || (state == State.UNKNOWN && System.nanoTime() - reached < UNREACHABLE.toNanos())) {
                    if (state == State.RUNS) {
                        reached = System.nanoTime();
                    }
                    Thread.sleep(INTERVAL);
                    state = state(owner, address, backend);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                ended.run();
            }
        });
    }

    private enum State {
        RUNS,
        ENDED,
        UNKNOWN
    }

    private State state(OwnerLogin owner, ServerAddress address, int backend) {
        try {
            return sessionEnd.end(owner, address, backend, REQUEST_TIMEOUT) ? State.RUNS : State.ENDED;
        } catch (IOException e) {
            LOG.debugf(e, "it is not known whether the session %d of %s has ended", backend, owner.role());
            return State.UNKNOWN;
        }
    }
}
