package svc.management.postgres;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A number of places for all, and a smaller one for each holder: a project, or a network. Built on a lock and not on monitors,
 * because a virtual thread that waits in a monitor keeps its carrier.
 */
final class Places {
    private final int total;
    private final int each;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    private final Map<String, Integer> taken = new HashMap<>();
    private int all;

    Places(int total, int each) {
        this.total = total;
        this.each = each;
    }

    /** False if there is none. */
    boolean enter(String holder) {
        lock.lock();
        try {
            return entered(holder);
        } finally {
            lock.unlock();
        }
    }

    /** The same, but waits for one. */
    boolean enter(String holder, long millis) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
            while (!entered(holder)) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = left.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean entered(String holder) {
        int own = taken.getOrDefault(holder, 0);
        if (all >= total || own >= each) {
            return false;
        }
        all++;
        taken.put(holder, own + 1);
        return true;
    }

    void leave(String holder) {
        lock.lock();
        try {
            all--;
            taken.computeIfPresent(holder, (any, own) -> own == 1 ? null : Integer.valueOf(own - 1));
            left.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
