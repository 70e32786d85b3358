package svc.storage.content;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.jboss.logging.Logger;

/**
 * Deletes bytes that no file has any more, after the row is gone and beside the call. Not to be relied upon: what a fault,
 * or the end of the process, leaves behind is swept by {@link ContentSweeper}.
 */
public final class Disposal {
    private static final Logger LOG = Logger.getLogger(Disposal.class);

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
            threads.execute(() -> {
                try {
                    store.delete(unnamed.apply(keys));
                } catch (RuntimeException e) {
                    LOG.debugf(
                            e,
                            "%d contents of project %s are left to be swept",
                            keys.size(),
                            keys.getFirst().projectId());
                }
            });
        }
    }
}
