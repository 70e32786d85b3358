package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.management.query.AuthorizedCall;
import svc.management.query.SqlCalls;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.sqlgate.ScriptGate;

/** The history of a project's migrations for clients that know it as a table. There is no other history than this one. */
@ApplicationScoped
public class HistoryCalls {
    /** Versions of one answer. */
    private static final int MAX = 10_000;

    private static final int PAGE = 1000;

    private final Migrations migrations;
    private final MigrationHistory history;
    private final MigrationRepair repair;
    private final SqlCalls calls;

    HistoryCalls(Migrations migrations, MigrationHistory history, MigrationRepair repair, SqlCalls calls) {
        this.migrations = migrations;
        this.history = history;
        this.repair = repair;
        this.calls = calls;
    }

    /**
     * An applied migration.
     *
     * @param name empty for one without a name
     */
    public record Entry(String version, String name) {}

    /** What is applied, by version. */
    public List<Entry> applied(Tenant tenant) {
        List<Entry> entries = new ArrayList<>();
        List<Migration> page = history.page(tenant.projectId(), "", PAGE);
        while (!page.isEmpty()) {
            migrations.known(tenant, page).stream()
                    .map(Migrations.Known::migration)
                    .filter(Migration::applied)
                    .forEach(one ->
                            entries.add(new Entry(one.version(), one.name().orElse(""))));
            if (page.size() < PAGE) {
                break;
            }
            if (entries.size() >= MAX) {
                throw tooLarge();
            }
            page = history.page(tenant.projectId(), page.getLast().version(), PAGE);
        }
        return entries;
    }

    /** The text of a migration; empty for one that was recorded without any. */
    public String text(Tenant tenant, Entry entry) {
        return history.text(tenant.projectId(), entry.version()).orElse("");
    }

    /** For an answer that would hold more of the history than it may. */
    public static ProblemException tooLarge() {
        return Problem.of(ProblemCode.SQL_RESULT_TOO_LARGE, "The history is larger than one answer may be.")
                .withHint("Read it page by page: GET /v1/projects/{ref}/database/migrations.")
                .asException();
    }

    /**
     * Applies and records a migration whose call was counted.
     *
     * @param authorized with the migration's text
     * @throws ProblemException if it is not applied
     */
    public void apply(AuthorizedCall authorized, String version, String name) {
        migrations.apply(authorized, file(authorized, version, name), calls.longest());
    }

    /**
     * Records a migration as applied, without running it.
     *
     * @param authorized with the migration's text, which may be empty
     * @throws ProblemException if the version is being applied, or the text is longer than one that could be
     */
    public void record(AuthorizedCall authorized, String version, String name) {
        if (authorized.call().sql().getBytes(StandardCharsets.UTF_8).length > ScriptGate.MAX_BYTES) {
            throw Problem.of(
                            ProblemCode.SQL_TOO_LARGE,
                            "The migration has more than " + ScriptGate.MAX_BYTES + " bytes.")
                    .withHint("Record it without its statements.")
                    .asException();
        }
        repair.record(authorized, MigrationFolder.ofOne(file(authorized, version, name)));
    }

    private static MigrationRequest file(AuthorizedCall authorized, String version, String name) {
        return MigrationRequest.ofFile(
                authorized.call().sql(),
                Optional.of(name).filter(text -> !text.isBlank()),
                MigrationRequest.checkedVersion(version, ""));
    }

    /** Forgets versions; returns the number of those that were in the history. */
    public int revert(AuthorizedCall authorized, List<String> versions) {
        versions.forEach(version -> MigrationRequest.checkedVersion(version, ""));
        return (int) repair.reverted(authorized, versions).stream()
                .filter(view -> "reverted".equals(view.state()))
                .count();
    }
}
