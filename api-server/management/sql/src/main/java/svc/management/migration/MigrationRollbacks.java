package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import svc.management.audit.CallResult;
import svc.management.audit.CallResult.Kind;
import svc.management.audit.SqlAudit;
import svc.management.migration.MigrationViews.RolledBack;
import svc.management.query.AtomicCalls;
import svc.management.query.AuthorizedCall;
import svc.management.query.SqlCalls;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.TransactionStatuses.Status;
import svc.postgres.script.TransactionListener;
import svc.sqlgate.ScriptSummary;

/**
 * Runs the SQL that undoes applied migrations, newest first, and takes them out of the history: all of them or none. As
 * where a migration is applied, the claims are written after the transaction has begun and before its first script is sent,
 * with the transaction id: PostgreSQL can report later whether it was committed, and the next reader of the history asks it.
 */
@ApplicationScoped
class MigrationRollbacks {
    /** Of one call: each has a message and rows of its own. */
    static final int MAX_VERSIONS = 500;

    /** Of one call, in UTF-8: what one script may have. */
    static final long MAX_BYTES = 256 << 10;

    private static final Logger LOG = Logger.getLogger(MigrationRollbacks.class);

    /** Unsettled rows that are settled before a rollback; more of them are left to the next readers. */
    private static final int MAX_OPEN = 1000;

    private final AtomicCalls atomic;
    private final SqlCalls calls;
    private final SqlAudit audit;
    private final Migrations migrations;
    private final MigrationHistory history;
    private final RollbackClaims claims;
    private final Clock clock;

    MigrationRollbacks(
            AtomicCalls atomic,
            SqlCalls calls,
            SqlAudit audit,
            Migrations migrations,
            MigrationHistory history,
            RollbackClaims claims,
            Clock clock) {
        this.atomic = atomic;
        this.calls = calls;
        this.audit = audit;
        this.migrations = migrations;
        this.history = history;
        this.claims = claims;
        this.clock = clock;
    }

    /**
     * Rolls back the applied versions from {@code from} on; the call was counted.
     *
     * @return them, newest first; none if none is applied
     * @throws ProblemException for every other outcome
     */
    List<RolledBack> rollBack(AuthorizedCall authorized, String from) {
        List<Rollback> rollbacks;
        try {
            rollbacks = judged(authorized.tenant(), from);
        } catch (ProblemException e) {
            throw calls.ended(authorized.call(), Kind.REFUSED, e.problem()).asException();
        }
        if (!rollbacks.isEmpty()) {
            run(authorized, from, rollbacks);
            audit.note(
                    authorized.call(),
                    new ScriptSummary(
                            rollbacks.stream()
                                    .map(one -> "revert migration " + one.version())
                                    .toList(),
                            Optional.empty()),
                    new CallResult(Kind.COMMITTED, Optional.empty(), Optional.empty()));
        }
        return rollbacks.stream().map(RolledBack::of).toList();
    }

    /** @throws ProblemException if the history does not allow a rollback */
    private List<Rollback> judged(Tenant tenant, String from) {
        for (Migrations.Known known : migrations.known(tenant, history.open(tenant.projectId(), MAX_OPEN))) {
            boolean unsettled = known.status() != Status.COMMITTED
                    && (known.status() == Status.IN_PROGRESS
                            || known.migration().version().compareTo(from) >= 0);
            if (unsettled) {
                throw Migrations.conflict(known).asException();
            }
        }
        List<Rollback> rollbacks = claims.applied(tenant.projectId(), from, MAX_BYTES, MAX_VERSIONS + 1);
        long bytes = rollbacks.stream().mapToLong(Rollback::bytes).sum();
        if (rollbacks.size() > MAX_VERSIONS || bytes > MAX_BYTES) {
            throw MigrationProblems.tooMuch(MAX_VERSIONS, MAX_BYTES, step(rollbacks))
                    .asException();
        }
        List<String> missing = rollbacks.stream()
                .filter(Rollback::missing)
                .map(Rollback::version)
                .toList();
        if (!missing.isEmpty()) {
            throw MigrationProblems.withoutRollback(missing).asException();
        }
        return rollbacks;
    }

    /** The lowest version from which on one call takes them; empty if it does not take the newest alone. */
    private static Optional<String> step(List<Rollback> newestFirst) {
        Optional<String> step = Optional.empty();
        long bytes = 0;
        for (Rollback one : newestFirst.subList(0, Math.min(MAX_VERSIONS, newestFirst.size()))) {
            bytes += one.bytes();
            if (bytes > MAX_BYTES) {
                break;
            }
            step = Optional.of(one.version());
        }
        return step;
    }

    private void run(AuthorizedCall authorized, String from, List<Rollback> rollbacks) {
        List<AuthorizedCall> texts =
                rollbacks.stream().map(one -> authorized.with(one.sql())).toList();
        var claim = new Claim(authorized, from, rollbacks);
        Optional<AtomicCalls.Stop> stop;
        try {
            stop = atomic.run(texts, claim);
        } catch (RuntimeException e) {
            settled(authorized.tenant(), claim);
            throw e;
        }
        if (stop.isEmpty()) {
            ended(authorized.tenant(), claim.made().orElseThrow());
            return;
        }
        Optional<Status> status = settled(authorized.tenant(), claim);
        Problem problem = stop.get().problem();
        // The commit succeeded, only its response was lost.
        boolean committed =
                status.equals(Optional.of(Status.COMMITTED)) && problem.code() == ProblemCode.UPSTREAM_FAILED;
        if (!committed) {
            throw stop.get()
                    .index()
                    .map(index -> MigrationProblems.inRollback(problem, rollbacks.get(index)))
                    .orElse(problem)
                    .asException();
        }
    }

    /** Empty if nothing was claimed, or if the claim cannot be settled now: the next reader of the history does it. */
    private Optional<Status> settled(Tenant tenant, Claim claim) {
        try {
            return claim.made().map(made -> migrations.settled(tenant, made));
        } catch (RuntimeException e) {
            LOG.warnf(e, "a rollback of migrations of %s has ended, but could not be settled yet", tenant.projectId());
            return Optional.empty();
        }
    }

    /** The rollback is committed. If the history cannot be updated now, its next reader does it. */
    private void ended(Tenant tenant, RollbackClaim claim) {
        try {
            claims.end(tenant.projectId(), claim, clock.instant().truncatedTo(ChronoUnit.MICROS));
        } catch (RuntimeException e) {
            LOG.warnf(
                    e, "migrations of %s are rolled back, but their rows could not be removed yet", tenant.projectId());
        }
    }

    /** Claims all versions for a transaction that has begun, or stops it before its first script is sent. */
    private final class Claim implements TransactionListener {
        private final AuthorizedCall authorized;
        private final String from;
        private final List<Rollback> rollbacks;
        private RollbackClaim made;

        Claim(AuthorizedCall authorized, String from, List<Rollback> rollbacks) {
            this.authorized = authorized;
            this.from = from;
            this.rollbacks = rollbacks;
        }

        Optional<RollbackClaim> made() {
            return Optional.ofNullable(made);
        }

        @Override
        public void begun(String transactionId) {
            var claim = new RollbackClaim(authorized.tenant().database().name(), transactionId);
            if (!claims.begin(
                    authorized.call(), from, rollbacks, claim, clock.instant().truncatedTo(ChronoUnit.MICROS))) {
                throw MigrationProblems.historyChanged().asException();
            }
            made = claim;
        }
    }
}
