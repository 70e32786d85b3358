package svc.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.catalog.ProjectSchema;
import svc.catalog.RoleSettings;
import svc.catalog.Routine;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.Setting;
import svc.postgres.flush.Flush;
import svc.postgres.flush.FlushRow;
import svc.postgres.flush.TransactionEnd;
import svc.rest.plan.Plan;
import svc.rest.plan.Planner;
import svc.rest.query.MainQuery;
import svc.rest.query.MainQuery.Result;
import svc.rest.query.PlannedRows;
import svc.rest.query.QueryBuilder;
import svc.rest.request.ApiRequest;
import svc.rest.response.ResponseBuilder;

/** One request as far as it can be brought without the database: what is sent, and what is made of the answer. */
record PreparedRequest(
        ApiRequest read,
        Plan plan,
        MainQuery query,
        RoleSettings role,
        List<Setting> settings,
        List<SqlFragment> before,
        TransactionEnding ending) {
    /** The one setting of a function that holds for the whole transaction: PostgREST's db-hoisted-tx-settings. */
    private static final String TIMEOUT = "statement_timeout";

    /** @throws svc.rest.error.RestError what the request asks for and the schema does not have */
    static PreparedRequest of(DataPlaneRequest request, ApiRequest read, ProjectSchema schema) {
        Tenant tenant = request.tenant();
        Identifier profile = Profiles.of(tenant, read);
        Plan plan = new Planner(profile, schema.seenFrom(profile.name()), tenant.rest()).plan(read);
        RoleSettings role = schema.settingsOf(request.caller().roleName(tenant));
        List<Setting> settings = new ArrayList<>(RequestSettings.of(request, role));
        read.preferences().timezone().ifPresent(zone -> settings.add(Setting.of("timezone", zone)));
        timeout(plan).ifPresent(limit -> settings.add(Setting.of(TIMEOUT, limit)));
        return new PreparedRequest(
                read,
                plan,
                QueryBuilder.build(plan),
                role,
                settings,
                PreRequest.of(tenant).stream().toList(),
                TransactionEnding.of(tenant.rest().txEnd(), read.preferences().transaction()));
    }

    private static Optional<String> timeout(Plan plan) {
        return plan instanceof Plan.Call call
                ? call.routine().settings().stream()
                        .filter(setting -> setting.name().equals(TIMEOUT))
                        .map(Routine.Setting::value)
                        .findFirst()
                : Optional.empty();
    }

    Flush flush() {
        return new Flush(
                readsOnly() ? Access.READ : Access.WRITE,
                role.isolation(),
                settings,
                before,
                query.text(),
                query.binds(),
                end());
    }

    ResponseBuilder response() {
        return new ResponseBuilder(
                read,
                plan,
                ending.preferred() && read.preferences().transaction().isPresent());
    }

    /** What was counted with the rows; empty where nothing was. */
    Optional<Long> counted(FlushRow row) {
        return row.text(Result.TOTAL).map(Long::parseLong);
    }

    /**
     * The statement that tells how many rows the planner expects, where that is wanted or counting was broken off; empty
     * where {@link #counted} is the total.
     */
    Optional<MainQuery> estimate(FlushRow row) {
        if (!(plan instanceof Plan.Read rows) || rows.count().isEmpty()) {
            return Optional.empty();
        }
        boolean complete = counted(row)
                .filter(counted ->
                        rows.countUpTo().isEmpty() || counted < rows.countUpTo().getAsLong())
                .isPresent();
        return complete ? Optional.empty() : Optional.of(QueryBuilder.counting(rows));
    }

    /** @param explained what {@link #estimate} gave */
    Optional<Long> estimated(FlushRow row, FlushRow explained) {
        long expected = PlannedRows.of(explained.text(0).orElseThrow());
        return Optional.of(Math.max(expected, counted(row).orElse(0L)));
    }

    /** A body without rows, or without columns: there is no statement for that. */
    boolean writesNothing() {
        return switch (plan) {
            case Plan.Insert insert -> insert.groups().isEmpty();
            case Plan.Update update -> update.changesNothing();
            case Plan.Read unused -> false;
            case Plan.Upsert unused -> false;
            case Plan.Delete unused -> false;
            case Plan.Call unused -> false;
        };
    }

    boolean readsOnly() {
        return plan instanceof Plan.Read
                || plan instanceof Plan.Call call && Planner.readsOnly(read.action(), call.routine());
    }

    boolean explained() {
        return plan.output().rendering().explained();
    }

    private TransactionEnd end() {
        if (ending.rollsBack()) {
            return new TransactionEnd.Rollback();
        }
        boolean conditional = !readsOnly()
                && !explained()
                && (plan instanceof Plan.Upsert
                        || plan.output().rendering().singular()
                        || read.preferences().strictMaxAffected().isPresent());
        return conditional ? new TransactionEnd.CommitIf(response()::acceptable) : new TransactionEnd.Commit();
    }
}
