package svc.management.postgres;

import java.util.HashMap;
import java.util.Map;

/** A number of places for all, and a smaller one for each of those who share them. */
final class Places {
    private final int total;
    private final int each;
    private final Map<String, Integer> taken = new HashMap<>();
    private int all;

    Places(int total, int each) {
        this.total = total;
        this.each = each;
    }

    /** False if there is none. */
    synchronized boolean enter(String who) {
        int own = taken.getOrDefault(who, 0);
        if (all >= total || own >= each) {
            return false;
        }
        all++;
        taken.put(who, own + 1);
        return true;
    }

    /** The same, but waits for one. */
    synchronized boolean enter(String who, long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        while (!enter(who)) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    synchronized void leave(String who) {
        all--;
        taken.computeIfPresent(who, (any, own) -> own == 1 ? null : Integer.valueOf(own - 1));
        notifyAll();
    }
}
