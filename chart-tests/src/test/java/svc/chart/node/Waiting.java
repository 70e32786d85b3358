package svc.chart.node;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;

/** Waits for what comes about by itself. */
final class Waiting {
    private static final Duration POLL = Duration.ofMillis(200);

    private Waiting() {}

    /** @throws AssertionError when it has not come about within the limit */
    static void until(String what, Duration limit, Callable<Boolean> holds) throws InterruptedException {
        Instant end = Instant.now().plus(limit);
        try {
            while (!holds.call()) {
                if (Instant.now().isAfter(end)) {
                    throw new AssertionError("not within " + limit + ": " + what);
                }
                Thread.sleep(POLL.toMillis());
            }
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("while waiting that " + what, e);
        }
    }
}
