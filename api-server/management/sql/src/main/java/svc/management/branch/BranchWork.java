package svc.management.branch;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.virtual.threads.VirtualThreads;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import svc.platform.budget.Budget;
import svc.platform.budget.BudgetMetrics;
import svc.platform.budget.Limit;
import svc.platform.budget.Permit;
import svc.platform.budget.Verdict;
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
    private final Budget running = new Budget("branch-work", MAX);

    BranchWork(@VirtualThreads ExecutorService threads, MeterRegistry metrics) {
        this.threads = threads;
        BudgetMetrics.register(running, metrics);
    }

    /** A place for one piece of work. */
    final class Place implements AutoCloseable {
        private final Permit permit;
        private boolean begun;

        private Place(Permit permit) {
            this.permit = permit;
        }

        /** Runs the work, and waits for its end or until a client expects an answer. The work must not throw. */
        void run(Runnable work) {
            Future<?> future = threads.submit(() -> {
                try {
                    work.run();
                } finally {
                    permit.close();
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
                permit.close();
            }
        }
    }

    /** @throws svc.platform.problem.ProblemException 429 */
    Place place(String organization) {
        Permit permit = running.whole()
                .part(organization, new Limit.Fixed(MAX_OF_ORGANIZATION))
                .open();
        if (permit.grow(1) != Verdict.GRANTED) {
            throw Problem.of(
                            ProblemCode.RATE_LIMITED,
                            "As many branches are being built as may be at once: " + MAX_OF_ORGANIZATION
                                    + " of one organisation.")
                    .withHint("Retry when one of them has its migrations.")
                    .retryAfter(RETRY_AFTER)
                    .asException();
        }
        return new Place(permit);
    }
}
