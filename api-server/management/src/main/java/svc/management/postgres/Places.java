package svc.management.postgres;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A number of places for all, a smaller one for each holder, and one between them for holders of a group: projects of an
 * organisation, so that the projects of one organisation together leave room for another's. Built on a lock and not on
 * monitors, because a virtual thread that waits in a monitor keeps its carrier.
 */
final class Places {
    private final int total;
    private final int eachGroup;
    private final int each;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    private final Map<String, Integer> taken = new HashMap<>();
    private final Map<String, Integer> takenByGroup = new HashMap<>();
    private int all;

    Places(int total, int eachGroup, int each) {
        this.total = total;
        this.eachGroup = eachGroup;
        this.each = each;
    }

    /** One that takes places, and the group that it belongs to. */
    record Holder(String name, String group) {}

    /** False if there is none. */
    boolean enter(Holder holder) {
        lock.lock();
        try {
            return entered(holder);
        } finally {
            lock.unlock();
        }
    }

    /** The same, but waits for one. */
    boolean enter(Holder holder, long millis) throws InterruptedException {
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

    private boolean entered(Holder holder) {
        int own = taken.getOrDefault(holder.name(), 0);
        int group = takenByGroup.getOrDefault(holder.group(), 0);
        if (all >= total || group >= eachGroup || own >= each) {
            return false;
        }
        all++;
        takenByGroup.put(holder.group(), group + 1);
        taken.put(holder.name(), own + 1);
        return true;
    }

    void leave(Holder holder) {
        lock.lock();
        try {
            all--;
            takenByGroup.computeIfPresent(holder.group(), Places::less);
            taken.computeIfPresent(holder.name(), Places::less);
            left.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static Integer less(String name, Integer places) {
        return places == 1 ? null : Integer.valueOf(places - 1);
    }
}
