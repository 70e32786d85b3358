package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jboss.logging.Logger;
import svc.management.audit.CallResult;
import svc.management.audit.CallResult.Kind;
import svc.management.audit.SqlAudit;
import svc.management.query.AuthorizedCall;
import svc.management.query.SqlCalls;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.TransactionStatuses;
import svc.postgres.flush.TransactionStatuses.Status;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.StatementResult;
import svc.postgres.script.TransactionListener;
import svc.sqlgate.ScriptSummary;

/**
 * Applies each migration exactly once. The claim on a version is written after the script's transaction has begun and
 * before the script is sent, with the transaction id. Whenever an instance crashes, PostgreSQL can report later whether
 * that transaction was committed, and the next reader of the claim asks it. So the history says "applied" exactly for
 * what was committed, although the two may be in different databases.
 */
@ApplicationScoped
class Migrations {
    private static final Logger LOG = Logger.getLogger(Migrations.class);

    private final SqlCalls calls;
    private final SqlAudit audit;
    private final MigrationHistory history;
    private final RollbackClaims rollbacks;
    private final TransactionStatuses statuses;
    private final Clock clock;

    Migrations(
            SqlCalls calls,
            SqlAudit audit,
            MigrationHistory history,
            RollbackClaims rollbacks,
            TransactionStatuses statuses,
            Clock clock) {
        this.calls = calls;
        this.audit = audit;
        this.history = history;
        this.rollbacks = rollbacks;
        this.statuses = statuses;
        this.clock = clock;
    }

    /** The result of a call. */
    sealed interface Result {
        record Applied(Migration migration) implements Result {}

        /** An earlier call with the same key applied it. */
        record Replayed(Migration migration) implements Result {}

        /** A dry run that would have been applied; everything was rolled back. */
        record DryRun(String version, List<String> commands) implements Result {}
    }

    /**
     * Applies a migration that was counted, or returns the one that its key has applied before.
     *
     * @param longest for the script, where that is shorter than the default timeout
     * @throws ProblemException for every other outcome; version and key are free again unless it says otherwise
     */
    Result apply(AuthorizedCall authorized, MigrationRequest request, Duration longest) {
        Optional<Migration> before;
        try {
            before = known(authorized.tenant(), request);
        } catch (ProblemException e) {
            throw calls.ended(authorized.call(), Kind.REFUSED, e.problem()).asException();
        }
        if (before.isPresent()) {
            audit.note(authorized.call(), ScriptSummary.NONE, CallResult.replayed());
            return new Result.Replayed(before.get());
        }
        return request.dryRun() ? dryRun(authorized, request) : run(authorized, request, longest);
    }

    private Result dryRun(AuthorizedCall authorized, MigrationRequest request) {
        ScriptOutcome.Committed would =
                calls.run(authorized, Mode.REHEARSAL, calls.longest(), TransactionListener.NONE);
        return new Result.DryRun(
                request.version().orElseGet(() -> Versions.at(clock.instant(), 0)),
                would.statements().stream().map(StatementResult::command).toList());
    }

    private Result run(AuthorizedCall authorized, MigrationRequest request, Duration longest) {
        var claim = new Claim(authorized, request);
        try {
            calls.run(authorized, Mode.TRANSACTION, longest, claim);
        } catch (RuntimeException e) {
            Optional<Known> left = claim.made().flatMap(made -> resolved(authorized.tenant(), made));
            // The commit succeeded, only its response was lost.
            if (left.isPresent() && left.get().status() == Status.COMMITTED && lostItsAnswer(e)) {
                return new Result.Applied(left.get().migration());
            }
            throw e;
        }
        return new Result.Applied(markedApplied(claim.made().orElseThrow()));
    }

    private static boolean lostItsAnswer(RuntimeException e) {
        return e instanceof ProblemException problem && problem.problem().code() == ProblemCode.UPSTREAM_FAILED;
    }

    /** The script is committed. If the row cannot be updated now, the next reader of the claim does it. */
    private Migration markedApplied(Migration migration) {
        Migration applied = migration.appliedAt(clock.instant().truncatedTo(ChronoUnit.MICROS));
        try {
            history.applied(applied.id(), applied.appliedAt().orElseThrow());
        } catch (RuntimeException e) {
            LOG.warnf(e, "the migration %s is committed, but its row could not be updated yet", applied.id());
        }
        return applied;
    }

    /** The current state of these rows, without those that were rolled back. */
    List<Known> known(Tenant tenant, List<Migration> rows) {
        // Those of one rollback share its transaction.
        Map<RollbackClaim, Status> settled = new HashMap<>();
        return rows.stream()
                .flatMap(migration ->
                        resolved(
                                tenant, migration, claim -> settled.computeIfAbsent(claim, one -> settled(tenant, one)))
                                .stream())
                .toList();
    }

    /** The current status of a rollback, whose versions leave the history if it was committed and stay if it was not. */
    Status settled(Tenant tenant, RollbackClaim claim) {
        Status status = status(tenant, claim.databaseName(), claim.transactionId());
        if (status == Status.COMMITTED) {
            rollbacks.end(tenant.projectId(), claim, clock.instant().truncatedTo(ChronoUnit.MICROS));
        } else if (status == Status.ABORTED) {
            rollbacks.withdraw(tenant.projectId(), claim);
        }
        return status;
    }

    /** The current state of one version. */
    Optional<Known> find(Tenant tenant, String version) {
        return history.ofVersion(tenant.projectId(), version).flatMap(found -> resolved(tenant, found));
    }

    /** A migration and the status of its transaction, or of its rollback's while that is not settled. */
    record Known(Migration migration, Status status) {}

    /** The state of a claim whose transaction has ended; empty if it was not committed. */
    Optional<Known> settled(Tenant tenant, Migration claim) {
        return resolved(tenant, claim);
    }

    /** The current state of a row; empty if it is not in the history any more. */
    private Optional<Known> resolved(Tenant tenant, Migration migration) {
        return resolved(tenant, migration, claim -> settled(tenant, claim));
    }

    private Optional<Known> resolved(Tenant tenant, Migration migration, Function<RollbackClaim, Status> settling) {
        if (migration.applied()) {
            return migration.rollback().isEmpty()
                    ? Optional.of(new Known(migration, Status.COMMITTED))
                    : afterRollback(
                            migration, settling.apply(migration.rollback().get()));
        }
        Status status = status(tenant, migration.databaseName(), migration.transactionId());
        return switch (status) {
            case COMMITTED -> Optional.of(new Known(markedApplied(migration), status));
            case ABORTED -> {
                history.undo(migration.id());
                yield Optional.empty();
            }
            case IN_PROGRESS, UNKNOWN -> Optional.of(new Known(migration, status));
        };
    }

    /** An applied migration that was to be rolled back. */
    private static Optional<Known> afterRollback(Migration migration, Status rollback) {
        return switch (rollback) {
            case COMMITTED -> Optional.empty();
            case ABORTED -> Optional.of(new Known(migration.kept(), Status.COMMITTED));
            case IN_PROGRESS, UNKNOWN -> Optional.of(new Known(migration, rollback));
        };
    }

    /** On an adopted server only the owner's login is used: the platform's credentials are not sent there. */
    private Status status(Tenant tenant, String databaseName, String transactionId) {
        if (!tenant.database().name().equals(databaseName)) {
            return Status.UNKNOWN;
        }
        return tenant.adoption().isPresent()
                ? calls.transactionStatus(tenant, transactionId)
                        .map(TransactionStatuses::status)
                        .orElse(Status.UNKNOWN)
                : statuses.of(tenant.database(), transactionId);
    }

    /**
     * The migration that an earlier call with the same key applied; empty if this call may run.
     *
     * @throws ProblemException if the key or the version is taken
     */
    private Optional<Migration> known(Tenant tenant, MigrationRequest request) {
        Optional<Known> ofKey = request.key()
                .flatMap(key -> history.ofKey(tenant.projectId(), key))
                .flatMap(found -> resolved(tenant, found));
        if (ofKey.isPresent()) {
            Known known = ofKey.get();
            if (!request.matches(known.migration())) {
                throw MigrationProblems.keyReused().asException();
            }
            if (known.status() == Status.COMMITTED) {
                return Optional.of(known.migration());
            }
            throw conflict(known).asException();
        }
        request.version().flatMap(version -> find(tenant, version)).ifPresent(known -> {
            throw conflict(known).asException();
        });
        return Optional.empty();
    }

    /** Why a version that is in the history cannot be applied. */
    static Problem conflict(Known known) {
        String version = known.migration().version();
        boolean rollback = known.migration().rollback().isPresent();
        return switch (known.status()) {
            case COMMITTED -> MigrationProblems.exists(version);
            case IN_PROGRESS -> rollback ? MigrationProblems.rollingBack(version) : MigrationProblems.running(version);
            case ABORTED, UNKNOWN ->
                rollback ? MigrationProblems.unknownRollback(version) : MigrationProblems.unknown(version);
        };
    }

    /** Claims version and key for a transaction that has begun, or stops it before its script is sent. */
    private final class Claim implements TransactionListener {
        private final AuthorizedCall authorized;
        private final MigrationRequest request;
        private Migration made;

        Claim(AuthorizedCall authorized, MigrationRequest request) {
            this.authorized = authorized;
            this.request = request;
        }

        Optional<Migration> made() {
            return Optional.ofNullable(made);
        }

        @Override
        public void begun(String transactionId) {
            for (int attempt = 0; attempt < Versions.ATTEMPTS; attempt++) {
                var migration = request.begun(
                        clock.instant(), attempt, authorized.tenant().database().name(), transactionId);
                if (history.claim(migration, request.rollback(), authorized.call())) {
                    made = migration;
                    return;
                }
                // Another call held the claim a moment ago. If that call has ended since, a retry gets its result.
                known(authorized.tenant(), request).ifPresent(earlier -> {
                    throw MigrationProblems.running(earlier.version()).asException();
                });
            }
            throw MigrationProblems.running(Versions.at(clock.instant(), 0)).asException();
        }
    }
}
