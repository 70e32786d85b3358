package svc.platform.process;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The place of one process in a pool, which it shares with its successors. Changed by its holder, and by the pool's end.
 */
final class ProcessSlot<P extends PooledProcess> {
    private static final Logger LOG = Logger.getLogger(ProcessSlot.class);

    private volatile Optional<P> process = Optional.empty();
    private volatile long usedNanos = System.nanoTime();

    /** The process, if it is alive. */
    Optional<P> live() {
        return process.filter(known -> known.child().isAlive());
    }

    void fill(P started) {
        process = Optional.of(started);
    }

    void kill() {
        Optional<P> known = process;
        // The kernel may call a killed process alive for a moment.
        process = Optional.empty();
        known.ifPresent(ended -> ended.child().kill());
    }

    /** Prepares the process for the next caller; false when it is gone or holds more memory than this. */
    boolean reset(long recycleBytes) {
        usedNanos = System.nanoTime();
        Optional<P> known = live();
        if (known.isEmpty() || known.get().child().residentBytes() > recycleBytes) {
            return false;
        }
        try {
            known.get().reset();
            return true;
        } catch (IOException e) {
            LOG.debugf("process %d has ended: %s", known.get().child().pid(), e.getMessage());
            return false;
        }
    }

    boolean isIdleFor(Duration time) {
        return live().isPresent() && System.nanoTime() - usedNanos > time.toNanos();
    }
}
