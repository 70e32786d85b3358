package svc.storage.image;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import svc.platform.budget.Budget;
import svc.platform.budget.BudgetSettings;
import svc.platform.budget.BudgetSettings.Streak;
import svc.platform.budget.Limit;
import svc.platform.budget.Outcome;
import svc.platform.budget.Permit;

/**
 * A few turns that projects take by rotation: a project with many images waits for itself, not the others for it. One
 * project never holds the last turn, where there are several. Thread-safe.
 */
final class RenderTurns {
    /**
     * Turns that a project gets one after the other: a change of the project costs the start of a process. An image in AVIF
     * takes as long as a hundred thumbnails, so the time counts as well.
     */
    private static final Streak STREAK = new Streak(4, Duration.ofMillis(500));

    private final Budget turns;
    private final Limit ofProject;
    private final int waitingOfProject;
    private final Duration patience;

    /**
     * @param waitingOfProject callers of one project that may wait; one more is turned away
     * @param waiting of all projects
     */
    RenderTurns(int turns, int waitingOfProject, int waiting, Duration patience) {
        this(turns, waitingOfProject, waiting, patience, System::nanoTime);
    }

    RenderTurns(int turns, int waitingOfProject, int waiting, Duration patience, LongSupplier nanos) {
        this.turns = new Budget(
                "images",
                BudgetSettings.of(turns)
                        .withLine(waiting)
                        .withStreak(STREAK, nanos)
                        .byTime(nanos));
        this.ofProject = new Limit.Fixed(Math.max(1, turns - 1));
        this.waitingOfProject = waitingOfProject;
        this.patience = patience;
    }

    /** Waits for a turn, which lasts until it is closed. Empty when too many wait, or this one did for too long. */
    Optional<Permit> take(String project) {
        try {
            return turns.whole().part(project, ofProject, waitingOfProject).await(1, patience)
                            instanceof Outcome.Granted(Permit turn)
                    ? Optional.of(turn)
                    : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** For metrics. */
    Budget budget() {
        return turns;
    }

    /** Callers that wait. */
    int waiters() {
        return turns.waiting();
    }
}
