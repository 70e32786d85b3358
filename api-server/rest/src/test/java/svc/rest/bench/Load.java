package svc.rest.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A closed loop: so many callers, each with one request at a time, for so long. */
final class Load {
    private final int callers;

    Load(int callers) {
        this.callers = callers;
    }

    /** What one caller does; closed by its own thread. */
    interface Caller extends AutoCloseable {
        void once(int key) throws Exception;
    }

    /** Makes a caller on its own thread. */
    interface Callers {
        Caller make() throws Exception;
    }

    /** Requests per second of all callers together. */
    double perSecond(Callers make, double seconds, int keys) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        long begun = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                int first = i * 7919;
                counts.add(threads.submit(() -> run(make, end, first, keys)));
            }
            long sum = 0;
            for (Future<Long> count : counts) {
                sum += count.get();
            }
            return sum / ((System.nanoTime() - begun) / 1e9);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a caller failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static long run(Callers make, long end, int first, int keys) throws Exception {
        long done = 0;
        try (Caller caller = make.make()) {
            for (int key = first; System.nanoTime() < end; key += 104_729) {
                caller.once(Math.floorMod(key, keys) + 1);
                done++;
            }
        }
        return done;
    }
}
