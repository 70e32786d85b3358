package svc.postgres.script;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import svc.platform.budget.Account;
import svc.platform.budget.Budget;
import svc.platform.budget.Limit;
import svc.platform.budget.Outcome;
import svc.platform.budget.Permit;
import svc.platform.budget.Verdict;
import svc.postgres.script.ScriptOutcome.Busy.Share;

/** Sessions of owners at the same time: of all owners, of the owners of an organisation, and of an owner. */
final class SessionPlaces {
    private static final Duration WAIT = Duration.ofSeconds(2);

    /**
     * An organisation may hold four times what is free beyond the reserve, so that one alone gets two thirds of 48
     * sessions, and several leave some for one that comes later. Without that, the projects of one caller take all connections
     * of a server, and every request of its neighbours is refused.
     */
    private static final Limit OF_ORGANIZATION = new Limit.DynamicShare(1, 4);

    private final Budget places;
    private final int perProject;

    SessionPlaces(RunLimits limits) {
        this.places = new Budget("scripts", limits.sessions());
        this.perProject = limits.perProject();
    }

    private Account of(OwnerLogin owner) {
        return places.whole()
                .part(owner.organization(), OF_ORGANIZATION)
                .part(owner.toString(), new Limit.Fixed(perProject));
    }

    /** A place, if there is one now. */
    Optional<Permit> take(OwnerLogin owner) {
        Permit taken = of(owner).open();
        return taken.grow(1) == Verdict.GRANTED ? Optional.of(taken) : Optional.empty();
    }

    /**
     * A place that comes soon: scripts that the gate refused give theirs back when their login has ended, which takes longer
     * than their answers.
     */
    Optional<Permit> await(OwnerLogin owner) throws InterruptedIOException {
        try {
            return of(owner).await(1, WAIT) instanceof Outcome.Granted(Permit taken)
                    ? Optional.of(taken)
                    : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("while waiting for a place");
        }
    }

    /** The outcome of work that got no place. */
    ScriptOutcome busy(OwnerLogin owner) {
        return new ScriptOutcome.Busy(of(owner).held() < perProject ? Share.ORGANIZATION : Share.PROJECT);
    }

    Budget budget() {
        return places;
    }
}
