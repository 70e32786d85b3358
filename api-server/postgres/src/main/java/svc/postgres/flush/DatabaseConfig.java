package svc.postgres.flush;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import svc.postgres.pool.PoolSettings;
import svc.postgres.pool.PoolShares;

/** How a data plane uses the databases of projects. */
@ConfigMapping(prefix = "svc.api.database")
public interface DatabaseConfig {
    /** Most connections of this process to projects, all together. */
    @WithDefault("100")
    int connections();

    /** Most connections of this process for one login of one project; below the role's CONNECTION LIMIT. */
    @WithDefault("20")
    int connectionsPerLogin();

    /** Most connections of this process for one project, of all its logins together. */
    @WithDefault("20")
    int connectionsPerProject();

    /** Most connections of this process for all projects of one organisation. */
    @WithDefault("50")
    int connectionsPerOrganization();

    /** Most requests of one project that wait for a connection; any more is answered with 504 at once. */
    @WithDefault("500")
    int waitingPerProject();

    /** How long a request waits for a connection before it is answered with 504. */
    @WithDefault("10s")
    Duration acquireTimeout();

    /** How long an unused connection stays open. */
    @WithDefault("30s")
    Duration idle();

    /** Age at which a connection is closed instead of reused. */
    @WithDefault("30m")
    Duration lifetime();

    /** Longest a transaction may take by our clock, whatever the session's settings say. */
    @WithDefault("40s")
    Duration transactionLimit();

    /** The settings of the pool that all projects share. */
    default PoolSettings pool() {
        return new PoolSettings(
                connections(),
                connectionsPerLogin(),
                acquireTimeout(),
                idle(),
                lifetime(),
                new PoolShares(connectionsPerProject(), connectionsPerOrganization(), waitingPerProject()));
    }
}
