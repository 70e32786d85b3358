package svc.platform.process;

import java.io.IOException;

/** One caller's hold on one process, for as many requests as it needs. Used by one thread at a time. */
public final class ProcessLease<P extends PooledProcess> {
    private final ProcessPool<P> pool;
    private final ProcessSlot<P> slot;
    private boolean sound = true;

    ProcessLease(ProcessPool<P> pool, ProcessSlot<P> slot) {
        this.pool = pool;
        this.slot = slot;
    }

    /** One request to the process. */
    @FunctionalInterface
    public interface Work<P, T> {
        /** @throws IOException when the process ends or violates its protocol; it is killed then */
        T ask(P process) throws IOException;
    }

    /** Asks the process, or another one that is started for it when the last one has ended. */
    public <T> ProcessOutcome<T> run(ProcessLimits limits, Work<P, T> work) {
        ProcessOutcome<T> outcome = pool.run(slot, limits, work);
        sound = outcome instanceof ProcessOutcome.Completed;
        return outcome;
    }

    /** Gives the process back; called exactly once. */
    public void release() {
        pool.release(slot, sound);
    }

    /** Gives back a process whose answer was not as it should be: it is replaced. */
    public void discard() {
        pool.release(slot, false);
    }
}
