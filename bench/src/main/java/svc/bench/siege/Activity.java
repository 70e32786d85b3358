package svc.bench.siege;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What a project's owner or its users do again and again.
 *
 * @param name in the report
 * @param pause between two of them
 * @param work one of them: returns the time that it took, and throws where it failed
 */
record Activity(String name, Duration pause, Work work) {
    @FunctionalInterface
    interface Work {
        Duration run() throws Exception;
    }

    /** Does all of them beside each other until the time is over; what is under way then still counts. */
    static Map<String, Neighbour.Period> allFor(List<Activity> activities, Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        Map<String, Future<Neighbour.Period>> running = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            activities.forEach(activity -> running.put(activity.name, threads.submit(() -> activity.until(end))));
        }
        Map<String, Neighbour.Period> periods = new LinkedHashMap<>();
        running.forEach((name, period) -> periods.put(name, result(period)));
        return periods;
    }

    private static Neighbour.Period result(Future<Neighbour.Period> period) {
        try {
            return period.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("an activity of the neighbour ended early", e);
        }
    }

    private Neighbour.Period until(long end) throws InterruptedException {
        var period = new Neighbour.Period(new ArrayList<>(), new ArrayList<>());
        while (System.nanoTime() < end) {
            try {
                period.answered().add(work.run());
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                period.failures().add(e.toString());
            }
            Thread.sleep(pause);
        }
        return period;
    }
}
