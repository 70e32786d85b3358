package svc.postgres.pool;

/**
 * What one project and one organisation may have of a pool. A connection counts while it is lent, while it is being
 * opened, and after it was given up until the server has ended it.
 *
 * @param perProject most connections of one project, of all its logins together
 * @param perOrganization most connections of all projects of one organisation
 * @param waiting most callers of one project that wait for a connection
 */
public record PoolShares(int perProject, int perOrganization, int waiting) {
    /** For a pool of the platform's own logins. */
    static final PoolShares UNLIMITED = new PoolShares(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

    public PoolShares {
        if (perProject < 1 || perOrganization < 1 || waiting < 1) {
            throw new IllegalArgumentException("a project may have one connection and one waiting caller at least");
        }
    }

    /** Defaults for a pool of a hundred connections. */
    public static PoolShares defaults() {
        return new PoolShares(20, 50, 500);
    }
}
