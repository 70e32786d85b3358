package svc.platform.budget;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The time for which a request, a connection or another piece of work exists. What it holds of budgets ends with it:
 * permits are closed and requests leave the line. A grant that arrives later is never handed out, so no receiver can
 * forget to return it. Thread-safe.
 */
public final class Lifetime implements AutoCloseable {
    private final Set<Bound> held = Collections.newSetFromMap(new IdentityHashMap<>(2));
    private boolean over;

    /** A thing that ends with its owner's lifetime. */
    interface Bound {
        void ownerEnded();
    }

    public synchronized boolean isOver() {
        return over;
    }

    /** Binds a thing to this lifetime. False when it is over: then the caller ends the thing. */
    synchronized boolean bind(Bound thing) {
        return !over && held.add(thing);
    }

    synchronized void release(Bound thing) {
        held.remove(thing);
    }

    /** Ends it, with everything that it holds. Without effect the second time. */
    @Override
    public void close() {
        List<Bound> ended;
        synchronized (this) {
            over = true;
            ended = List.copyOf(held);
            held.clear();
        }
        ended.forEach(Bound::ownerEnded);
    }
}
