package svc.postgres.script;

import java.io.IOException;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Waits for the end of a backend whose script was cut off. A few expressions of PostgreSQL look at no interrupt for minutes;
 * until then the backend takes a processor, and its project's place with it.
 */
final class BackendEnd {
    private static final Logger LOG = Logger.getLogger(BackendEnd.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

    private final SessionEnd sessionEnd;

    BackendEnd(SessionEnd sessionEnd) {
        this.sessionEnd = sessionEnd;
    }

    /** Calls back once the backend has ended; while the server cannot be asked, that is unknown. */
    void await(OwnerLogin owner, ServerAddress address, int backend, Runnable ended) {
        Thread.ofVirtual().name("await-end-of-backend").start(() -> {
            try {
                while (runs(owner, address, backend)) {
                    Thread.sleep(INTERVAL);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                ended.run();
            }
        });
    }

    private boolean runs(OwnerLogin owner, ServerAddress address, int backend) {
        try {
            return sessionEnd.end(owner, address, backend, REQUEST_TIMEOUT);
        } catch (IOException e) {
            LOG.debugf(e, "it is not known whether the session %d of %s has ended", backend, owner.role());
            return true;
        }
    }
}
