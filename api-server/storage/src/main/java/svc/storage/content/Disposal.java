package svc.storage.content;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jboss.logging.Logger;

/**
 * Deletes bytes that no file has any more, after the row is gone and beside the call. Not to be relied upon: what a fault,
 * or the end of the process, leaves behind is swept by {@link ContentSweeper}.
 */
public final class Disposal {
    private static final Logger LOG = Logger.getLogger(Disposal.class);

    /** A store that is slow must not keep more names here than this. */
    private static final int MAX_WAITING = 100_000;

    private final AtomicInteger waiting = new AtomicInteger();
    private final ContentStore store;
    private final Executor threads;
    private final UnaryOperator<List<ContentKey>> unnamed;

    /**
     * @param threads of which each may wait for the store
     * @param unnamed those of some contents of a project that no row names: what was replaced may be kept as a version
     */
    public Disposal(ContentStore store, Executor threads, UnaryOperator<List<ContentKey>> unnamed) {
        this.store = store;
        this.threads = threads;
        this.unnamed = unnamed;
    }

    /** @param keys up to 1,000 */
    public void dispose(List<ContentKey> keys) {
        if (!keys.isEmpty()) {
            beside(keys.size(), () -> store.delete(unnamed.apply(keys)));
        }
    }

    /** Gives up uploads in parts of a key. */
    public void abandon(ContentKey key) {
        beside(1, () -> store.resumable().abandon(key));
    }

    private void beside(int contents, Runnable work) {
        boolean room = waiting.addAndGet(contents) <= MAX_WAITING;
        boolean begun = false;
        try {
            if (room) {
                threads.execute(() -> run(contents, work));
                begun = true;
            }
        } catch (RejectedExecutionException e) {
            LOG.debug("the process ends", e);
        } finally {
            if (!begun) {
                waiting.addAndGet(-contents);
                LOG.debugf("%d contents are left to be swept", contents);
            }
        }
    }

    private void run(int contents, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.debugf(e, "%d contents are left to be swept", contents);
        } finally {
            waiting.addAndGet(-contents);
        }
    }
}
