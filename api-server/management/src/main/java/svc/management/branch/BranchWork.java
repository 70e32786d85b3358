package svc.management.branch;

import io.quarkus.virtual.threads.VirtualThreads;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/**
 * Runs the work on branches: it goes on when its caller has gone, and few run at once in a process and for an organisation.
 */
@ApplicationScoped
class BranchWork {
    private static final int MAX = 8;
    private static final int MAX_OF_ORGANIZATION = 2;

    /** Clients give up after a minute. */
    private static final Duration ANSWER_AFTER = Duration.ofSeconds(45);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final ExecutorService threads;
    private final Map<String, Integer> running = new HashMap<>();

    BranchWork(@VirtualThreads ExecutorService threads) {
        this.threads = threads;
    }

    /** A place for one piece of work. */
    final class Place implements AutoCloseable {
        private final String organization;
        private boolean begun;

        private Place(String organization) {
            this.organization = organization;
        }

        /** Runs the work, and waits for its end or until a client expects an answer. The work must not throw. */
        void run(Runnable work) {
            Future<?> future = threads.submit(() -> {
                try {
                    work.run();
                } finally {
                    release();
                }
            });
            begun = true;
            try {
                future.get(ANSWER_AFTER.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // The work goes on; the branch's status tells how far it is.
            } catch (ExecutionException e) {
                throw new IllegalStateException("while working on a branch", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Work that has begun keeps its place until it ends. */
        @Override
        public void close() {
            if (!begun) {
                release();
            }
        }

        private void release() {
            synchronized (running) {
                running.computeIfPresent(organization, (unused, count) -> count == 1 ? null : count - 1);
            }
        }
    }

    /** @throws svc.platform.problem.ProblemException 429 */
    Place place(String organization) {
        synchronized (running) {
            int all = running.values().stream().mapToInt(Integer::intValue).sum();
            if (all >= MAX || running.getOrDefault(organization, 0) >= MAX_OF_ORGANIZATION) {
                throw Problem.of(
                                ProblemCode.RATE_LIMITED,
                                "As many branches are being built as may be at once: " + MAX_OF_ORGANIZATION
                                        + " of one organisation.")
                        .withHint("Retry when one of them has its migrations.")
                        .retryAfter(RETRY_AFTER)
                        .asException();
            }
            running.merge(organization, 1, Integer::sum);
            return new Place(organization);
        }
    }
}
