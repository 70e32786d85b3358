package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import svc.management.query.AuthorizedCall;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.TransactionStatuses.Status;

/**
 * The claims of several migrations that share a transaction: they are in the history if it is committed, and none of them is
 * if it is not, whenever an instance crashes.
 */
@ApplicationScoped
class MigrationClaims {
    private static final Logger LOG = Logger.getLogger(MigrationClaims.class);

    private final Migrations migrations;
    private final MigrationHistory history;
    private final Clock clock;

    MigrationClaims(Migrations migrations, MigrationHistory history, Clock clock) {
        this.migrations = migrations;
        this.history = history;
        this.clock = clock;
    }

    /**
     * Claims the versions of files for a transaction that has begun.
     *
     * @param files each with a version
     * @throws ProblemException if one is taken; none is claimed then
     */
    List<Migration> begin(AuthorizedCall authorized, List<MigrationRequest> files, String transactionId) {
        Instant now = clock.instant();
        String database = authorized.tenant().database().name();
        return history.together(rows -> {
            List<Migration> claimed = new ArrayList<>();
            for (MigrationRequest file : files) {
                Migration claim = file.begun(now, 0, database, transactionId);
                if (!rows.claim(
                        claim, file.rollback(), authorized.with(file.query()).call())) {
                    throw MigrationProblems.historyChanged().asException();
                }
                claimed.add(claim);
            }
            return claimed;
        });
    }

    /**
     * Settles claims whose transaction has ended. What cannot be settled now is left to the next reader of the history.
     *
     * @return whether all of them are known to be committed
     */
    boolean settled(Tenant tenant, List<Migration> claimed) {
        boolean committed = true;
        try {
            for (Migration claim : claimed) {
                Optional<Migrations.Known> known = migrations.settled(tenant, claim);
                committed &= known.map(Migrations.Known::status)
                        .filter(Status.COMMITTED::equals)
                        .isPresent();
            }
            return committed;
        } catch (RuntimeException e) {
            LOG.warnf(e, "migrations of %s have ended, but could not be settled yet", tenant.projectId());
            return false;
        }
    }
}
