package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.List;
import svc.management.query.result.RowsAsJson;
import svc.management.tool.Feature;
import svc.management.tool.Parameter;
import svc.management.tool.Parameter.Kind;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolCall;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;
import svc.postgres.script.ScriptRun.Mode;

/** The tool that runs SQL. */
@ApplicationScoped
class SqlTools implements ToolGroup {
    /** A model reads the answer. */
    private static final int MAX_BYTES = 48 << 10;

    private final SqlAuthorization authorization;
    private final SqlCalls calls;
    private final QueryConfig config;

    SqlTools(SqlAuthorization authorization, SqlCalls calls, QueryConfig config) {
        this.authorization = authorization;
        this.calls = calls;
        this.config = config;
    }

    @Override
    public List<Tool> tools() {
        return List.of(new Tool(
                "execute_sql",
                Feature.DATABASE,
                "Execute SQL",
                "Runs SQL in the project's database in one transaction, as the project's owner, and returns the rows of the"
                        + " last statement that has any. For changes of the schema use apply_migration.",
                Effect.READS_IF_ASKED,
                true,
                List.of(Parameter.required("query", Kind.TEXT, "One or several SQL statements")),
                this::execute));
    }

    private ToolResult execute(ToolCall call) {
        String sql = call.text("query");
        AuthorizedCall authorized = authorization.byToken(call.by(), call.project(), sql, call.context());
        authorization.count(authorized, SqlBudget.QUERIES, call.context());
        return SqlConfirmation.question(call, calls, authorized, sql, "Run it?").orElseGet(() -> run(call, authorized));
    }

    private ToolResult run(ToolCall call, AuthorizedCall authorized) {
        QueryCall query = QueryCall.plain(call.readOnly() ? Mode.READ_ONLY : Mode.TRANSACTION, config);
        RowsAsJson.Rendered rows = RowsAsJson.last(calls.run(authorized, query), MAX_BYTES);
        return new ToolResult.Data(
                new String(rows.json(), StandardCharsets.UTF_8),
                rows.cut()
                        ? "These are the first " + rows.rows()
                                + " rows: there are more. Select fewer columns, or use LIMIT" + " and OFFSET."
                        : "");
    }
}
