package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.problem.ProblemCode;
import svc.sqlgate.parser.Statement;

/** Policies on the platform's tables: the parts of the statement, its conditions as the caller wrote them. */
final class PolicyStatements {
    private static final SqlTemplate WRITE =
            SqlTemplate.of("CALL svc_statements.write_policy(:'verb', :'relation', :'name',"
                    + " :{kind}, :{command}, :{roles}, :{using}, :{check})");
    private static final SqlFragment NULL = SqlFragment.of("NULL");

    private final ProjectScope scope;
    private final CompanionTables tables;

    PolicyStatements(ProjectScope scope, CompanionTables tables) {
        this.scope = scope;
        this.tables = tables;
    }

    /** CREATE POLICY and ALTER POLICY … TO, USING, WITH CHECK. */
    Rewrite written(Statement statement) {
        return tables.of(statement.tree().path("table"))
                .map(table -> table.equals("users") ? ofUsers() : written(statement, table))
                .orElseGet(Rewrite::asIs);
    }

    private Rewrite written(Statement statement, String table) {
        JsonNode tree = statement.tree();
        boolean create = statement.kind().equals("CreatePolicyStmt");
        List<Literal> roles = new ArrayList<>();
        for (JsonNode role : tree.path("roles")) {
            Optional<String> name = scope.role(role.path("RoleSpec"));
            if (name.isEmpty()) {
                return new Rewrite.Refused(
                        ProblemCode.SQL_FORBIDDEN_OBJECT,
                        "the role " + role.path("RoleSpec").path("rolename").asText(),
                        "A project's roles are anon, authenticated and service_role.");
            }
            roles.add(Literal.of(name.get()));
        }
        var text = new PolicyText(statement.text());
        String command = tree.path("cmd_name").asText("all").toUpperCase(Locale.ROOT);
        SqlFragment sql = WRITE.bind(Map.of(
                "verb", Literal.of(create ? "CREATE" : "ALTER"),
                "relation", Literal.of(table),
                "name", Literal.of(tree.path("policy_name").asText()),
                "kind", create ? text(tree.path("permissive").asBoolean() ? "PERMISSIVE" : "RESTRICTIVE") : NULL,
                "command", create ? text(command) : NULL,
                "roles",
                        roles.isEmpty()
                                ? NULL
                                : SqlFragment.of("ARRAY[")
                                        .append(SqlFragment.join(", ", roles))
                                        .append("]"),
                "using", tree.has("qual") ? text(text.using()) : NULL,
                "check", tree.has("with_check") ? text(text.check()) : NULL));
        return new Rewrite.Instead(sql, create ? "CREATE POLICY" : "ALTER POLICY");
    }

    private static Rewrite ofUsers() {
        return new Rewrite.Refused(
                ProblemCode.SQL_FORBIDDEN_OBJECT,
                "a policy on auth.users",
                "The API never reads this table. Keep what users may see of each other in a table of your own.");
    }

    private static SqlFragment text(String value) {
        return SqlFragment.of(Literal.of(value));
    }
}
