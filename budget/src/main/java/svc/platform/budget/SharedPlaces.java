package svc.platform.budget;

import java.time.Duration;
import java.util.Optional;

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
        this.limits = limits;
        this.places = new Budget(kind, BudgetSettings.of(limits.places()).withLine(limits.line()));
        this.longWork = places.across(LONG_WORK, limits.longPlaces());
    }

    private Account account(Caller caller, Work work) {
        Account project = places.whole()
                .part(caller.organization(), Limit.NONE, limits.lineOfOrganization())
                .part(caller.project(), Limit.NONE, limits.lineOfProject());
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

    /** For metrics. */
    public Budget budget() {
        return places;
    }
}
