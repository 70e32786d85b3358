package svc.postgres.pool;

import java.util.HashMap;
import java.util.Map;

/**
 * The rule for a project's next connection. Above the fixed caps of project and organisation, a project that is not alone
 * may hold no more connections than are free: so a few that want all leave places for one that comes later, however many
 * connections they hang on to. Guarded by the pool's lock.
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
                && project.whole().held() < shares.perOrganization()
                && (held == 0 || pool.activeProjects() == 1 || held < settings.cap() - pool.held());
    }

    /** Whether one more caller of the project may wait. */
    boolean mayWait(Account project) {
        return project.waiting() < settings.shares().waiting();
    }
}
