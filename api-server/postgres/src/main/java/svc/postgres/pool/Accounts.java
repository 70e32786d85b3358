package svc.postgres.pool;

import java.util.HashMap;
import java.util.Map;

/**
 * The rule for a project's next connection, below the fixed caps of project and organisation. A project's first connection
 * needs only a free place. For all further ones together there is half of the places, of its organisation's and of the
 * pool's; and a project that is not alone may hold no more of these than are free. So half of the places is left for
 * projects that come later, however many connections the others hang on to. Switches share their buffers by such a rule
 * (dynamic thresholds; Choudhury and Hahne, 1998). Guarded by the pool's lock.
 *
 * <p>It is no {@link svc.platform.budget.Budget}: which caller is served next depends on idle connections of its login, so
 * the count of places and the line change together, under one lock.
 */
final class Accounts<K> {
    private final PoolOwners<K> owners;
    private final PoolSettings settings;
    private final Account pool = new Account();
    private final Map<String, Account> organizations = new HashMap<>();
    private final Map<String, Account> projects = new HashMap<>();

    Accounts(PoolOwners<K> owners, PoolSettings settings) {
        this.owners = owners;
        this.settings = settings;
    }

    /** The account of a login's project; {@link #close} once for each call. */
    Account open(K login) {
        Account project = projects.computeIfAbsent(owners.project().apply(login), name -> {
            Account organization =
                    organizations.computeIfAbsent(owners.organization().apply(login), unused -> pool.part());
            organization.opened();
            return organization.part();
        });
        project.opened();
        return project;
    }

    void close(K login) {
        String name = owners.project().apply(login);
        Account project = projects.get(name);
        if (project.closed()) {
            projects.remove(name);
            if (project.whole().closed()) {
                organizations.values().remove(project.whole());
            }
        }
    }

    /** Whether the project may use one more connection. */
    boolean mayTake(Account project) {
        int held = project.held();
        PoolShares shares = settings.shares();
        return held < shares.perProject()
                && leavesPlaces(held, project.whole(), shares.perOrganization())
                && leavesPlaces(held, pool, settings.cap());
    }

    /** Whether a project that holds so many may take one more of what all in the account may hold. */
    private static boolean leavesPlaces(int held, Account all, int cap) {
        return all.held() < cap && (held == 0 || all.activeProjects() == 1 || held - 1 < cap / 2 - all.further());
    }

    /** Whether one more caller of the project may wait. */
    boolean mayWait(Account project) {
        return project.waiting() < settings.shares().waiting();
    }
}
