package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.management.query.AuthorizedCall;
import svc.management.query.SqlCalls;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;

/** The history of a project's migrations for clients that know it as a table. There is no other history than this one. */
@ApplicationScoped
public class HistoryCalls {
    /** Versions of one answer. */
    private static final int MAX = 10_000;

    private static final int PAGE = 1000;

    private final Migrations migrations;
    private final MigrationHistory history;
    private final HistoryWrites writes;
    private final MigrationClaims claims;
    private final SqlCalls calls;

    HistoryCalls(
            Migrations migrations,
            MigrationHistory history,
            HistoryWrites writes,
            MigrationClaims claims,
            SqlCalls calls) {
        this.migrations = migrations;
        this.history = history;
        this.writes = writes;
        this.claims = claims;
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

    private static MigrationRequest file(AuthorizedCall authorized, String version, String name) {
        return MigrationRequest.ofFile(
                authorized.call().sql(),
                Optional.of(name).filter(text -> !text.isBlank()),
                MigrationRequest.checkedVersion(version, ""));
    }

    /** @throws ProblemException if a change cannot be made as the history is now */
    public void judge(AuthorizedCall authorized, HistoryChange change) {
        writes.plan(authorized, List.of(change));
    }

    /**
     * Makes changes, all of them or none.
     *
     * @return how many versions were forgotten
     * @throws ProblemException if one cannot be made
     */
    public int change(AuthorizedCall authorized, List<HistoryChange> changes) {
        return writes.write(authorized, writes.plan(authorized, changes));
    }

    /**
     * Makes changes with a transaction of the project that has not ended: they are made if it is committed.
     *
     * @param changes that forget nothing
     * @param commit ends the transaction; throws if it is not committed
     * @throws ProblemException if one cannot be made; the transaction is not ended then
     */
    public void changeWith(
            AuthorizedCall authorized, List<HistoryChange> changes, String transactionId, Runnable commit) {
        HistoryWrites.Plan plan = writes.plan(authorized, changes);
        List<Migration> claimed = claims.begin(authorized, plan.recorded(), transactionId);
        try {
            commit.run();
        } finally {
            claims.settled(authorized.tenant(), claimed);
        }
        writes.note(authorized, plan);
    }
}
