package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import svc.management.audit.CallResult;
import svc.management.audit.SqlAudit;
import svc.management.migration.MigrationViews.FileView;
import svc.management.query.AuthorizedCall;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.TransactionStatuses.Status;
import svc.sqlgate.ScriptSummary;

/**
 * Corrects the history where it differs from the database: records versions as applied, describes or forgets them, and runs
 * nothing. Each call that changes something has a row in the audit.
 */
@ApplicationScoped
class MigrationRepair {
    private static final String APPLIED = "applied";
    private static final String ALREADY = "already_applied";
    private static final String RECORD = "record migration ";
    private static final String DESCRIBE = "describe migration ";

    private final Migrations migrations;
    private final MigrationHistory history;
    private final RollbackClaims rollbacks;
    private final MigrationFolders folders;
    private final SqlAudit audit;
    private final Clock clock;

    MigrationRepair(
            Migrations migrations,
            MigrationHistory history,
            RollbackClaims rollbacks,
            MigrationFolders folders,
            SqlAudit audit,
            Clock clock) {
        this.migrations = migrations;
        this.history = history;
        this.rollbacks = rollbacks;
        this.folders = folders;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * Records what is new of a folder as applied, because the database has it already.
     *
     * @throws ProblemException if a file has changed, or is being applied; then none is recorded
     */
    List<FileView> record(AuthorizedCall authorized, MigrationFolder folder) {
        List<FileView> files = folders.compared(authorized, folder);
        return noted(authorized, done -> {
            for (int i = 0; i < files.size(); i++) {
                MigrationRequest file = folder.files().get(i);
                if (!files.get(i).state().equals(ALREADY)) {
                    files.set(i, recorded(authorized, file, done));
                } else if (file.rollback().isPresent()) {
                    describe(authorized, files.get(i).version(), Optional.empty(), file.rollback());
                    done.add(DESCRIBE + files.get(i).version());
                }
            }
            return files;
        });
    }

    /**
     * Makes the changes of one call, and writes one row of the audit for those that were made, also where one fails: a call
     * that is counted once must not write hundreds.
     */
    private <T> T noted(AuthorizedCall authorized, Function<List<String>, T> changes) {
        List<String> done = new ArrayList<>();
        try {
            return changes.apply(done);
        } finally {
            if (!done.isEmpty()) {
                audit.note(
                        authorized.call(),
                        new ScriptSummary(done, Optional.empty()),
                        new CallResult(CallResult.Kind.COMMITTED, Optional.empty(), Optional.empty()));
            }
        }
    }

    /** Records a migration without a version as applied, at the time of the call. */
    FileView record(AuthorizedCall authorized, MigrationRequest file) {
        return noted(authorized.with(file.query()), done -> recorded(authorized, file, done));
    }

    /**
     * Changes what describes an applied version.
     *
     * @throws ProblemException if it is not in the history, or its outcome is not known
     */
    MigrationViews.View change(AuthorizedCall authorized, String version, MigrationChange change) {
        Migrations.Known known = known(authorized.tenant(), version);
        if (known.status() != Status.COMMITTED) {
            throw Migrations.conflict(known).asException();
        }
        noted(authorized, done -> {
            describe(authorized, version, change.newName(), change.newRollback());
            return done.add(DESCRIBE + version);
        });
        UUID project = authorized.tenant().projectId();
        return MigrationViews.withText(
                known(authorized.tenant(), version),
                history.text(project, version),
                history.rollback(project, version));
    }

    private Migrations.Known known(Tenant tenant, String version) {
        return Optional.of(version)
                .filter(MigrationRequest::isVersion)
                .flatMap(text -> migrations.find(tenant, text))
                .orElseThrow(() -> MigrationProblems.notFound(version).asException());
    }

    private void describe(AuthorizedCall authorized, String version, Optional<String> name, Optional<String> rollback) {
        if (!history.describe(authorized.tenant().projectId(), version, name, rollback)) {
            throw MigrationProblems.notFound(version).asException();
        }
    }

    /** Records versions as applied whose text is not known. */
    List<FileView> applied(AuthorizedCall authorized, List<String> versions) {
        return noted(authorized, done -> {
            List<FileView> files = new ArrayList<>();
            for (String version : versions) {
                MigrationRequest file = MigrationRequest.ofFile("", Optional.empty(), version);
                Optional<Migrations.Known> known = migrations.find(authorized.tenant(), version);
                files.add(
                        known.isEmpty()
                                ? recorded(authorized, file, done)
                                : FileView.of(settled(authorized, known.get(), done), ALREADY));
            }
            return files;
        });
    }

    /** Forgets versions: they can be applied again. Their text stays with the administrator of the database. */
    List<FileView> reverted(AuthorizedCall authorized, List<String> versions) {
        return noted(authorized, done -> {
            List<FileView> files = new ArrayList<>();
            for (String version : versions) {
                MigrationRequest file = MigrationRequest.ofFile("", Optional.empty(), version);
                Optional<Migrations.Known> known = migrations.find(authorized.tenant(), version);
                known.ifPresent(MigrationRepair::refuseRunning);
                boolean gone = known.isPresent() && history.revert(authorized.call(), version, clock.instant());
                if (gone) {
                    done.add("revert migration " + version);
                }
                files.add(FileView.of(file, gone ? "reverted" : "not_found"));
            }
            return files;
        });
    }

    private FileView recorded(AuthorizedCall authorized, MigrationRequest file, List<String> done) {
        AuthorizedCall call = authorized.with(file.query());
        int attempts = file.version().isPresent() ? 1 : Versions.ATTEMPTS;
        for (int attempt = 0; attempt < attempts; attempt++) {
            Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
            Migration row = file.begun(now, attempt, "", MigrationHistory.WITHOUT_TRANSACTION)
                    .appliedAt(now);
            if (history.record(row, file.rollback(), call.call())) {
                done.add(RECORD + row.version());
                return FileView.of(row, APPLIED);
            }
        }
        throw MigrationProblems.running(file.version().orElseGet(() -> Versions.at(clock.instant(), 0)))
                .asException();
    }

    /** The outcome of one that the database does not report is what its owner says. */
    private Migration settled(AuthorizedCall authorized, Migrations.Known known, List<String> done) {
        refuseRunning(known);
        if (known.status() == Status.COMMITTED) {
            return known.migration();
        }
        Optional<RollbackClaim> rollback = known.migration().rollback();
        if (rollback.isPresent()) {
            // All of its versions or none: the others stay as well.
            rollbacks.withdraw(authorized.tenant().projectId(), rollback.get());
            done.add(RECORD + known.migration().version());
            return known.migration().kept();
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        history.applied(known.migration().id(), now);
        done.add(RECORD + known.migration().version());
        return known.migration().appliedAt(now);
    }

    static void refuseRunning(Migrations.Known known) {
        if (known.status() == Status.IN_PROGRESS) {
            throw Migrations.conflict(known).asException();
        }
    }
}
