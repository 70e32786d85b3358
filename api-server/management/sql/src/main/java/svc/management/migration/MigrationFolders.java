package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.management.audit.CallResult.Kind;
import svc.management.migration.MigrationViews.FileView;
import svc.management.query.AuthorizedCall;
import svc.management.query.RehearsalCalls;
import svc.management.query.RehearsalCalls.Rehearsal;
import svc.management.query.SqlCalls;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.TransactionStatuses.Status;
import svc.postgres.script.StatementResult;

/**
 * Applies a folder of migrations: each new one like a call of its own, with its own verdict, transaction, row of the history
 * and row of the audit, one behind the other up to the first that fails. Those before it stay applied, so that the folder can
 * be sent again.
 */
@ApplicationScoped
class MigrationFolders {
    private static final String APPLIED = "applied";
    private static final String ALREADY = "already_applied";
    private static final String FAILED = "failed";
    private static final String CHANGED = "changed";
    private static final String NOT_RUN = "not_run";
    private static final String WOULD = "would_apply";

    private final Migrations migrations;
    private final MigrationHistory history;
    private final SqlCalls calls;
    private final RehearsalCalls rehearsals;
    private final Clock clock;

    MigrationFolders(
            Migrations migrations, MigrationHistory history, SqlCalls calls, RehearsalCalls rehearsals, Clock clock) {
        this.migrations = migrations;
        this.history = history;
        this.calls = calls;
        this.rehearsals = rehearsals;
        this.clock = clock;
    }

    /**
     * Applies what is new of a folder whose call was counted.
     *
     * @return what became of each file, by version
     * @throws ProblemException of the first file that fails, with what became of the others
     */
    List<FileView> apply(AuthorizedCall authorized, MigrationFolder folder) {
        List<FileView> files = compared(authorized, folder);
        return folder.dryRun() ? rehearsed(authorized, folder, files) : applied(authorized, folder, files);
    }

    /**
     * Compares a folder with the history: {@code already_applied}, or {@code not_run}.
     *
     * @throws ProblemException if a file has changed, or is being applied
     */
    List<FileView> compared(AuthorizedCall authorized, MigrationFolder folder) {
        Tenant tenant = authorized.tenant();
        List<FileView> files = new ArrayList<>();
        Optional<Stop> first = Optional.empty();
        for (MigrationRequest file : folder.files()) {
            Optional<Migrations.Known> known = migrations.find(tenant, version(file));
            Optional<Problem> problem = known.flatMap(row -> conflict(tenant, row, file));
            files.add(known.map(row -> FileView.of(row.migration(), state(row, problem)))
                    .orElseGet(() -> FileView.of(file, NOT_RUN)));
            if (first.isEmpty() && problem.isPresent()) {
                first = Optional.of(new Stop(file, problem.get()));
            }
        }
        first.ifPresent(stop -> {
            throw calls.ended(
                            authorized.call(),
                            Kind.REFUSED,
                            MigrationProblems.inFolder(stop.problem(), stop.file(), files))
                    .asException();
        });
        return files;
    }

    /** Why a folder is not applied. */
    private record Stop(MigrationRequest file, Problem problem) {}

    private static String state(Migrations.Known known, Optional<Problem> problem) {
        if (problem.isEmpty()) {
            return ALREADY;
        }
        return known.status() == Status.COMMITTED ? CHANGED : NOT_RUN;
    }

    /** A version that was recorded without a text stands for any. */
    private Optional<Problem> conflict(Tenant tenant, Migrations.Known known, MigrationRequest file) {
        if (known.status() != Status.COMMITTED) {
            return Optional.of(Migrations.conflict(known));
        }
        return history.text(tenant.projectId(), version(file))
                .filter(text -> !text.isEmpty() && !MigrationText.same(text, file.query()))
                .map(text -> MigrationProblems.changed(version(file)));
    }

    private List<FileView> applied(AuthorizedCall authorized, MigrationFolder folder, List<FileView> files) {
        Instant end = clock.instant().plus(calls.longest());
        for (int i = 0; i < files.size(); i++) {
            if (!files.get(i).state().equals(NOT_RUN)) {
                continue;
            }
            MigrationRequest file = folder.files().get(i);
            try {
                Duration left = Duration.between(clock.instant(), end);
                if (!left.isPositive()) {
                    throw MigrationProblems.tooLong(calls.longest()).asException();
                }
                files.set(i, FileView.of(appliedOne(authorized.with(file.query()), file, left), APPLIED));
            } catch (ProblemException e) {
                files.set(i, FileView.of(file, FAILED));
                throw MigrationProblems.inFolder(e.problem(), file, files).asException(e);
            }
        }
        return files;
    }

    private Migration appliedOne(AuthorizedCall authorized, MigrationRequest file, Duration longest) {
        return switch (migrations.apply(authorized, file, longest)) {
            case Migrations.Result.Applied applied -> applied.migration();
            case Migrations.Result.Replayed replayed -> replayed.migration();
            case Migrations.Result.DryRun dryRun -> throw new IllegalStateException("a file of a folder is no dry run");
        };
    }

    private List<FileView> rehearsed(AuthorizedCall authorized, MigrationFolder folder, List<FileView> files) {
        List<Integer> fresh = new ArrayList<>();
        List<AuthorizedCall> texts = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            if (files.get(i).state().equals(NOT_RUN)) {
                fresh.add(i);
                texts.add(authorized.with(folder.files().get(i).query()));
            }
        }
        if (texts.isEmpty()) {
            return files;
        }
        Rehearsal rehearsal = rehearsals.rehearse(texts);
        for (int i = 0; i < rehearsal.ran().size(); i++) {
            MigrationRequest file = folder.files().get(fresh.get(i));
            files.set(
                    fresh.get(i),
                    FileView.of(file, WOULD)
                            .with(rehearsal.ran().get(i).statements().stream()
                                    .map(StatementResult::command)
                                    .toList()));
        }
        if (rehearsal.stopped().isPresent()) {
            int at = fresh.get(rehearsal.index());
            MigrationRequest file = folder.files().get(at);
            files.set(at, FileView.of(file, FAILED));
            throw MigrationProblems.inFolder(rehearsal.stopped().get(), file, files)
                    .asException();
        }
        return files;
    }

    private static String version(MigrationRequest file) {
        return file.version().orElseThrow();
    }
}
