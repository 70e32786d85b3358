package svc.platform.budget;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Places for work that organisations share, and the projects of each of them. A place that is returned goes to the waiting
 * organisation that holds the fewest, then to its project that holds the fewest; among equals to the one that has had no
 * place for longest. So a caller waits for the work of others, but never behind a queue of them. Long work gets a part of
 * the places only: short work does not wait for it.
 */
public final class SharedPlaces {
    private static final String LONG_WORK = "long";

    private final Budget places;
    private final Account longWork;
    private final Limits limits;
    private final Limit ofProject;

    /**
     * @param places of all callers
     * @param longPlaces that long work may hold, of the same places
     * @param lineOfProject callers of one project that may wait; one more is turned away at once
     * @param lineOfOrganization the same of the projects of an organisation together
     * @param line the same of all
     */
    public record Limits(int places, int longPlaces, int lineOfProject, int lineOfOrganization, int line) {
        public Limits {
            if (longPlaces < 1 || longPlaces > places) {
                throw new IllegalArgumentException("of " + places + " places " + longPlaces + " for long work");
            }
        }

        /** For work of one kind: an organisation's projects together have double the line of one, all have eight times. */
        public static Limits of(int places, int lineOfProject) {
            return new Limits(places, places, lineOfProject, 2 * lineOfProject, 8 * lineOfProject);
        }
    }

    /** How places are divided whose work differs in what it takes. */
    public enum Division {
        /** Each place is a turn, however long it lasts, and one organisation may hold all. */
        BY_TURNS,
        /** Organisations and projects share the time of the places. */
        BY_TIME,
        /**
         * The same, and one project never holds the last place, where there are several: for work that lasts long and
         * cannot be taken away.
         */
        BY_TIME_LEAVING_ONE
    }

    /** On whose behalf a place is held. */
    public record Caller(String organization, String project) {}

    /** How long a place is expected to be held, by what is known beforehand. */
    public enum Work {
        SHORT,
        LONG
    }

    /** @param kind as metrics name it */
    public SharedPlaces(String kind, Limits limits) {
        this(kind, limits, Division.BY_TURNS);
    }

    /** @param kind as metrics name it */
    public SharedPlaces(String kind, Limits limits, Division division) {
        this(kind, limits, division, System::nanoTime);
    }

    SharedPlaces(String kind, Limits limits, Division division, LongSupplier nanos) {
        var settings = BudgetSettings.of(limits.places()).withLine(limits.line());
        this.limits = limits;
        this.ofProject = division == Division.BY_TIME_LEAVING_ONE
                ? new Limit.Fixed(Math.max(1, limits.places() - 1))
                : Limit.NONE;
        this.places = new Budget(kind, division == Division.BY_TURNS ? settings : settings.byTime(nanos));
        this.longWork = places.across(LONG_WORK, limits.longPlaces());
    }

    private Account account(Caller caller, Work work) {
        Account project = places.whole()
                .part(caller.organization(), Limit.NONE, limits.lineOfOrganization())
                .part(caller.project(), ofProject, limits.lineOfProject());
        return work == Work.SHORT
                ? project
                : project.part(LONG_WORK, Limit.NONE).within(longWork);
    }

    /** A place that is free now; never waits. */
    public Optional<Permit> tryAcquire(Caller caller, Work work) {
        Permit place = account(caller, work).open();
        return Optional.of(place).filter(permit -> permit.grow(1) == Verdict.GRANTED);
    }

    /**
     * A place, after a wait for it.
     *
     * @return empty when the line of the caller is full, or its turn has not come in time
     */
    public Optional<Permit> acquire(Caller caller, Work work, Duration patience) throws InterruptedException {
        return account(caller, work).await(1, patience) instanceof Outcome.Granted(Permit permit)
                ? Optional.of(permit)
                : Optional.empty();
    }

    /**
     * The same without a thread that waits.
     *
     * @param owner if it ends before the outcome is received, there is none, and nothing is held
     * @param on runs the receiver when it had to wait; otherwise the calling thread does
     */
    public void request(Caller caller, Lifetime owner, Duration patience, Executor on, Consumer<Outcome> receiver) {
        account(caller, Work.SHORT).request(owner, 1, patience, on, receiver);
    }

    /** For metrics. */
    public Budget budget() {
        return places;
    }
}
