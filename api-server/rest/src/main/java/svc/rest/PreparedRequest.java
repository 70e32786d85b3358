package svc.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.catalog.ImpersonatedRoleSettings;
import svc.catalog.ProjectSchema;
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
import svc.postgres.request.PreRequest;
import svc.rest.plan.Plan;
import svc.rest.plan.Planner;
import svc.rest.query.MainQuery;
import svc.rest.query.MainQuery.Result;
import svc.rest.query.PlannedRows;
import svc.rest.query.QueryBuilder;
import svc.rest.request.ApiRequest;
import svc.rest.response.ResponseBuilder;

/** A planned request: the statement and settings to send, and how its result becomes the response. */
record PreparedRequest(
        ApiRequest read,
        Plan plan,
        MainQuery query,
        ImpersonatedRoleSettings role,
        List<Setting> settings,
        List<SqlFragment> before,
        TransactionEndDecision ending) {
    /** The function setting that applies to the whole transaction; PostgREST's {@code db-hoisted-tx-settings}. */
    private static final String TIMEOUT = "statement_timeout";

    /** @throws svc.rest.error.RestError if the schema does not have what the request names */
    static PreparedRequest of(DataPlaneRequest request, ApiRequest read, ProjectSchema schema) {
        Tenant tenant = request.tenant();
        Identifier profile = SchemaProfiles.of(tenant, read);
        Plan plan = new Planner(profile, schema.withDefaultSchema(profile.name()), tenant.rest()).plan(read);
        ImpersonatedRoleSettings role = schema.roleSettings(request.caller().roleName(tenant));
        List<Setting> settings = new ArrayList<>(RoleSettings.of(request, role));
        read.preferences().timezone().ifPresent(zone -> settings.add(Setting.of("timezone", zone)));
        timeout(plan).ifPresent(limit -> settings.add(Setting.of(TIMEOUT, limit)));
        return new PreparedRequest(
                read,
                plan,
                QueryBuilder.build(plan),
                role,
                settings,
                PreRequest.of(tenant).stream().toList(),
                TransactionEndDecision.of(
                        tenant.rest().txEnd(), read.preferences().transaction()));
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

    /** The number of rows counted by the main statement; empty if it counts none. */
    Optional<Long> counted(FlushRow row) {
        return row.text(Result.TOTAL).map(Long::parseLong);
    }

    /**
     * The EXPLAIN statement for the estimated number of rows, if the request wants an estimate or counting stopped at the
     * limit; empty if {@link #counted} is the total.
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

    /** @param explained the result of {@link #estimate} */
    Optional<Long> estimated(FlushRow row, FlushRow explained) {
        long expected = PlannedRows.of(explained.text(0).orElseThrow());
        return Optional.of(Math.max(expected, counted(row).orElse(0L)));
    }

    /** Whether the body has no rows or no columns, which needs no statement. */
    boolean isEmptyWrite() {
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
