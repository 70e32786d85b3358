package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.management.audit.CallResult;
import svc.management.audit.SqlAudit;
import svc.management.query.AuthorizedCall;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.sqlgate.ScriptGate;
import svc.sqlgate.ScriptSummary;

/** Writes several changes of the history together: all of them or none, with one row of the audit. */
@ApplicationScoped
class HistoryWrites {
    private static final String NOT_RUN = "not_run";

    private final Migrations migrations;
    private final MigrationHistory history;
    private final MigrationFolders folders;
    private final SqlAudit audit;
    private final Clock clock;

    HistoryWrites(
            Migrations migrations, MigrationHistory history, MigrationFolders folders, SqlAudit audit, Clock clock) {
        this.migrations = migrations;
        this.history = history;
        this.folders = folders;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * What changes come to, by version; what the history has already is left out.
     *
     * @param writes a migration to record, or empty for a version to forget
     * @param replaced versions that are forgotten before they are recorded
     */
    record Plan(Map<String, Optional<MigrationRequest>> writes, List<String> replaced) {
        List<MigrationRequest> recorded() {
            return writes.values().stream().flatMap(Optional::stream).toList();
        }

        List<String> reverted() {
            List<String> versions = new ArrayList<>(replaced);
            writes.forEach((version, file) -> {
                if (file.isEmpty()) {
                    versions.add(version);
                }
            });
            return versions;
        }
    }

    /** @throws ProblemException if a change cannot be made */
    Plan plan(AuthorizedCall authorized, List<HistoryChange> changes) {
        Map<String, Optional<MigrationRequest>> writes = new LinkedHashMap<>();
        List<String> replaced = new ArrayList<>();
        for (HistoryChange change : changes) {
            switch (change) {
                case HistoryChange.Recorded recorded -> {
                    MigrationRequest file = file(recorded);
                    if (isNew(authorized, file, writes)) {
                        if (writes.containsKey(recorded.version())) {
                            replaced.add(recorded.version());
                        }
                        writes.put(recorded.version(), Optional.of(file));
                    }
                }
                case HistoryChange.Reverted reverted ->
                    reverted.versions().forEach(version -> {
                        MigrationRequest.checkedVersion(version, "");
                        boolean there = isThere(authorized.tenant(), version);
                        Optional<MigrationRequest> before = writes.getOrDefault(version, Optional.empty());
                        if (there) {
                            replaced.remove(version);
                            writes.put(version, Optional.empty());
                        } else if (before.isPresent()) {
                            writes.remove(version);
                        }
                    });
            }
        }
        return new Plan(writes, replaced);
    }

    private static MigrationRequest file(HistoryChange.Recorded recorded) {
        if (recorded.text().getBytes(StandardCharsets.UTF_8).length > ScriptGate.MAX_BYTES) {
            throw Problem.of(
                            ProblemCode.SQL_TOO_LARGE,
                            "The migration has more than " + ScriptGate.MAX_BYTES + " bytes.")
                    .withHint("Record it without its statements.")
                    .asException();
        }
        return MigrationRequest.ofFile(
                recorded.text(),
                Optional.of(recorded.name()).filter(text -> !text.isBlank()),
                MigrationRequest.checkedVersion(recorded.version(), ""));
    }

    /** Whether a migration is in the history neither now nor after the writes before it. */
    private boolean isNew(
            AuthorizedCall authorized, MigrationRequest file, Map<String, Optional<MigrationRequest>> writes) {
        String version = file.version().orElseThrow();
        if (!writes.containsKey(version)) {
            return folders.compared(authorized.with(file.query()), MigrationFolder.ofOne(file))
                    .getFirst()
                    .state()
                    .equals(NOT_RUN);
        }
        Optional<MigrationRequest> before = writes.get(version);
        before.filter(other -> !MigrationText.same(other.query(), file.query())).ifPresent(other -> {
            throw MigrationProblems.changed(version).asException();
        });
        return before.isEmpty();
    }

    private boolean isThere(Tenant tenant, String version) {
        Optional<Migrations.Known> known = migrations.find(tenant, version);
        known.ifPresent(MigrationRepair::refuseRunning);
        return known.isPresent();
    }

    /**
     * Writes a plan at once.
     *
     * @return how many versions were forgotten
     * @throws ProblemException if the history has changed meanwhile; nothing is written then
     */
    int write(AuthorizedCall authorized, Plan plan) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        int reverted = history.together(rows -> {
            int gone = 0;
            for (String version : plan.reverted()) {
                gone += rows.revert(authorized.call(), version, now) ? 1 : 0;
            }
            for (MigrationRequest file : plan.recorded()) {
                Migration row = file.begun(now, 0, "", MigrationHistory.WITHOUT_TRANSACTION)
                        .appliedAt(now);
                if (!rows.record(
                        row, Optional.empty(), authorized.with(file.query()).call())) {
                    throw MigrationProblems.historyChanged().asException();
                }
            }
            return gone;
        });
        note(authorized, plan);
        return reverted;
    }

    /** Writes the row of the audit; none where nothing has changed. */
    void note(AuthorizedCall authorized, Plan plan) {
        List<String> what = new ArrayList<>();
        plan.reverted().forEach(version -> what.add("revert migration " + version));
        plan.recorded()
                .forEach(file -> what.add("record migration " + file.version().orElseThrow()));
        if (!what.isEmpty()) {
            audit.note(
                    authorized.call(),
                    new ScriptSummary(what, Optional.empty()),
                    new CallResult(CallResult.Kind.COMMITTED, Optional.empty(), Optional.empty()));
        }
    }
}
