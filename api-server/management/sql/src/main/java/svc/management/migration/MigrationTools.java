package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import svc.management.query.AuthorizedCall;
import svc.management.query.SqlAuthorization;
import svc.management.query.SqlBudget;
import svc.management.query.SqlCalls;
import svc.management.query.SqlConfirmation;
import svc.management.token.Permission;
import svc.management.tool.Feature;
import svc.management.tool.Parameter;
import svc.management.tool.Parameter.Kind;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolCall;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;
import svc.platform.tenancy.Tenant;

/** The tools of migrations. */
@ApplicationScoped
class MigrationTools implements ToolGroup {
    private static final int MAX_LISTED = 500;

    private final SqlAuthorization authorization;
    private final SqlCalls calls;
    private final Migrations migrations;
    private final MigrationHistory history;

    MigrationTools(SqlAuthorization authorization, SqlCalls calls, Migrations migrations, MigrationHistory history) {
        this.authorization = authorization;
        this.calls = calls;
        this.migrations = migrations;
        this.history = history;
    }

    @Override
    public List<Tool> tools() {
        return List.of(
                new Tool(
                        "list_migrations",
                        Feature.DATABASE,
                        "List migrations",
                        "Lists the migrations of the project by version, the last " + MAX_LISTED + " at most.",
                        Effect.READS,
                        true,
                        List.of(),
                        this::list),
                new Tool(
                        "apply_migration",
                        Feature.DATABASE,
                        "Apply migration",
                        "Applies a migration and records it under its name: all of it or nothing. Use it for every change"
                                + " of the schema. Do not hard-code generated ids in it.",
                        Effect.RUNS_SQL,
                        true,
                        List.of(
                                Parameter.required("name", Kind.TEXT, "The migration's name, in snake_case"),
                                Parameter.required("query", Kind.TEXT, "The SQL to apply")),
                        this::apply));
    }

    /** A migration in a list. */
    record Listed(String version, String name, String state) {}

    /** The list. */
    record Page(List<Listed> migrations) {}

    /** What was applied. */
    record Applied(boolean success, String version, String name, String state) {}

    private ToolResult list(ToolCall call) {
        call.by().require(Permission.DATABASE_QUERY);
        Tenant tenant = authorization.tenant(call.by(), call.project());
        List<Migration> rows = history.page(tenant.projectId(), "", 10 * MAX_LISTED);
        List<Migration> last = rows.subList(Math.max(0, rows.size() - MAX_LISTED), rows.size());
        return ToolResult.json(new Page(migrations.known(tenant, last).stream()
                .map(MigrationViews::of)
                .map(view -> new Listed(view.version(), view.name(), view.state()))
                .toList()));
    }

    private ToolResult apply(ToolCall call) {
        String sql = call.text("query");
        AuthorizedCall authorized = authorization.byToken(call.by(), call.project(), sql, call.context());
        var request = MigrationRequest.of(new MigrationBody(sql, null, call.text("name"), null, null, null), null);
        authorization.count(authorized, SqlBudget.MIGRATIONS, call.context());
        return SqlConfirmation.question(call, calls, authorized, sql, "Apply it as a migration?")
                .orElseGet(() -> applied(authorized, request));
    }

    private ToolResult applied(AuthorizedCall authorized, MigrationRequest request) {
        return switch (migrations.apply(authorized, request, calls.longest())) {
            case Migrations.Result.Applied applied -> done(applied.migration());
            case Migrations.Result.Replayed replayed -> done(replayed.migration());
            case Migrations.Result.DryRun would -> ToolResult.json(would);
        };
    }

    private static ToolResult done(Migration migration) {
        return ToolResult.json(
                new Applied(true, migration.version(), migration.name().orElse(null), "applied"));
    }
}
