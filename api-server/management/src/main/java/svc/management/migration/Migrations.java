package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import svc.management.query.SqlCalls;
import svc.management.query.SqlEntrance.Entered;
import svc.management.query.audit.CallResult;
import svc.management.query.audit.CallResult.Kind;
import svc.management.query.audit.SqlAudit;
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
 * Applies each migration once. The claim on a version is written after the script's transaction has begun and before its
 * script is sent, with the transaction's number: whoever falls at whatever moment, the server can say afterwards whether
 * that transaction was committed, and whoever meets the claim asks it. So history says "applied" exactly of what was
 * committed, although the two may lie in different databases.
 */
@ApplicationScoped
class Migrations {
    private static final Logger LOG = Logger.getLogger(Migrations.class);

    private final SqlCalls calls;
    private final SqlAudit audit;
    private final MigrationHistory history;
    private final TransactionStatuses statuses;
    private final Clock clock;

    Migrations(SqlCalls calls, SqlAudit audit, MigrationHistory history, TransactionStatuses statuses, Clock clock) {
        this.calls = calls;
        this.audit = audit;
        this.history = history;
        this.statuses = statuses;
        this.clock = clock;
    }

    /** What a call came to. */
    sealed interface Result {
        record Applied(Migration migration) implements Result {}

        /** It was applied by an earlier call with the same key. */
        record Replayed(Migration migration) implements Result {}

        /** It would have been applied; nothing of it stayed. */
        record Rehearsed(String version, List<String> commands) implements Result {}
    }

    /**
     * Applies a migration that was counted, or says what its key has applied before.
     *
     * @throws ProblemException for everything else; the version and the key are free again then, unless it says otherwise
     */
    Result apply(Entered entered, MigrationRequest request) {
        Optional<Migration> before;
        try {
            before = known(entered.tenant(), request);
        } catch (ProblemException e) {
            throw calls.ended(entered.call(), Kind.REFUSED, e.problem()).asException();
        }
        if (before.isPresent()) {
            audit.note(entered.call(), ScriptSummary.NONE, CallResult.replayed());
            return new Result.Replayed(before.get());
        }
        return request.dryRun() ? rehearse(entered, request) : run(entered, request);
    }

    private Result rehearse(Entered entered, MigrationRequest request) {
        ScriptOutcome.Committed would = calls.run(
                entered.tenant(), entered.call(), Mode.REHEARSAL, TransactionListener.NONE, entered.callerGone());
        return new Result.Rehearsed(
                request.version().orElseGet(() -> Versions.at(clock.instant(), 0)),
                would.statements().stream().map(StatementResult::command).toList());
    }

    private Result run(Entered entered, MigrationRequest request) {
        var claim = new Claim(entered, request);
        try {
            calls.run(entered.tenant(), entered.call(), Mode.TRANSACTION, claim, entered.callerGone());
        } catch (RuntimeException e) {
            Optional<Known> left = claim.made().flatMap(made -> settled(entered.tenant(), made));
            // The commit arrived, only its answer did not.
            if (left.isPresent() && left.get().status() == Status.COMMITTED && lostItsAnswer(e)) {
                return new Result.Applied(left.get().migration());
            }
            throw e;
        }
        return new Result.Applied(confirmed(claim.made().orElseThrow()));
    }

    private static boolean lostItsAnswer(RuntimeException e) {
        return e instanceof ProblemException problem && problem.problem().code() == ProblemCode.UPSTREAM_FAILED;
    }

    /** The script is committed. When that cannot be noted now, the next who meets the claim does. */
    private Migration confirmed(Migration migration) {
        Migration applied = migration.appliedAt(clock.instant().truncatedTo(ChronoUnit.MICROS));
        try {
            history.applied(applied.id(), applied.appliedAt().orElseThrow());
        } catch (RuntimeException e) {
            LOG.warnf(e, "the migration %s is committed and its row does not say so yet", applied.id());
        }
        return applied;
    }

    /** What is known now of these rows; those that came to nothing are left out. */
    List<Known> known(Tenant tenant, List<Migration> rows) {
        return rows.stream()
                .flatMap(migration -> settled(tenant, migration).stream())
                .toList();
    }

    /** One of them. */
    Optional<Known> find(Tenant tenant, String version) {
        return history.ofVersion(tenant.projectId(), version).flatMap(found -> settled(tenant, found));
    }

    /** A migration and what became of its transaction. */
    record Known(Migration migration, Status status) {}

    /** What is true of a row now; empty when its script came to nothing, whereupon the row is gone as well. */
    private Optional<Known> settled(Tenant tenant, Migration migration) {
        if (migration.applied()) {
            return Optional.of(new Known(migration, Status.COMMITTED));
        }
        Status status = tenant.database().name().equals(migration.databaseName())
                ? status(tenant, migration.transactionId())
                : Status.UNKNOWN;
        return switch (status) {
            case COMMITTED -> Optional.of(new Known(confirmed(migration), status));
            case ABORTED -> {
                history.undo(migration.id());
                yield Optional.empty();
            }
            case IN_PROGRESS, UNKNOWN -> Optional.of(new Known(migration, status));
        };
    }

    /** On a server that a tenant chose only the owner itself is asked: no login of the platform is shown there. */
    private Status status(Tenant tenant, String transactionId) {
        return tenant.adoption().isPresent()
                ? calls.transactionStatus(tenant, transactionId)
                        .map(TransactionStatuses::status)
                        .orElse(Status.UNKNOWN)
                : statuses.of(tenant.database(), transactionId);
    }

    /**
     * What an earlier call with the same key has applied; empty when this call may run.
     *
     * @throws ProblemException when the key or the version is another's
     */
    private Optional<Migration> known(Tenant tenant, MigrationRequest request) {
        Optional<Known> ofKey = request.key()
                .flatMap(key -> history.ofKey(tenant.projectId(), key))
                .flatMap(found -> settled(tenant, found));
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

    private static Problem conflict(Known known) {
        String version = known.migration().version();
        return switch (known.status()) {
            case COMMITTED -> MigrationProblems.exists(version);
            case IN_PROGRESS -> MigrationProblems.running(version);
            case ABORTED, UNKNOWN -> MigrationProblems.unknown(version);
        };
    }

    /** Takes the version and the key for a transaction that has begun, or stops it before its script is sent. */
    private final class Claim implements TransactionListener {
        private final Entered entered;
        private final MigrationRequest request;
        private Migration made;

        Claim(Entered entered, MigrationRequest request) {
            this.entered = entered;
            this.request = request;
        }

        Optional<Migration> made() {
            return Optional.ofNullable(made);
        }

        @Override
        public void begun(String transactionId) {
            for (int attempt = 0; attempt < Versions.ATTEMPTS; attempt++) {
                var migration = request.begun(
                        clock.instant(), attempt, entered.tenant().database().name(), transactionId);
                if (history.claim(migration, entered.call())) {
                    made = migration;
                    return;
                }
                // Another call had it a moment ago. If that came to an end since, the caller's next one gets its
                // answer.
                known(entered.tenant(), request).ifPresent(earlier -> {
                    throw MigrationProblems.running(earlier.version()).asException();
                });
            }
            throw MigrationProblems.running(Versions.at(clock.instant(), 0)).asException();
        }
    }
}
