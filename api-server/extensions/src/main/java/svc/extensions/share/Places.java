package svc.extensions.share;

import java.util.Optional;
import svc.platform.budget.Account;
import svc.platform.budget.Budget;
import svc.platform.budget.Limit;
import svc.platform.budget.Permit;
import svc.platform.budget.Verdict;
import svc.platform.tenancy.Tenant;

/**
 * How much of one kind of work the process has under way at once, for all databases: few of a project, and for the projects of an
 * organisation a share, so that others find a place however many projects it has. Nothing waits here: what finds no place
 * stays in the database.
 */
public final class Places {
    /** One alone has seven tenths of the places, as of outgoing calls. */
    private static final Limit OF_ORGANIZATION = new Limit.DynamicShare(1, 4);

    private final Budget places;
    private final long ofProject;

    /**
     * @param kind as metrics name it
     * @param ofProject most places of one project
     */
    public Places(String kind, long total, long ofProject) {
        this.places = new Budget(kind, total);
        this.ofProject = ofProject;
    }

    /** @return a place, which the caller closes; empty when there is none for the project now */
    public Optional<Permit> take(Tenant tenant) {
        Permit place = account(tenant).open();
        if (place.grow(1) == Verdict.GRANTED) {
            return Optional.of(place);
        }
        place.close();
        return Optional.empty();
    }

    /** Whether the project has as many as it may have alone. */
    public boolean usedUp(Tenant tenant) {
        return account(tenant).held() >= ofProject;
    }

    /** Places that no one has. Not all of them are there for one organisation. */
    public long free() {
        return Math.max(0, places.total() - places.held());
    }

    private Account account(Tenant tenant) {
        return places.whole()
                .part(tenant.organization(), OF_ORGANIZATION)
                .part(tenant.ref(), new Limit.Fixed(ofProject));
    }
}
