package svc.database.project;

import static svc.database.project.Fact.Kind.COLUMN_GRANT;
import static svc.database.project.Fact.Kind.FUNCTION;
import static svc.database.project.Fact.Kind.GRANT;
import static svc.database.project.Fact.Kind.OWNER;
import static svc.database.project.Fact.Kind.OWNER_PRIVILEGES;
import static svc.database.project.Fact.Kind.POLICY;
import static svc.database.project.Fact.Kind.TRIGGER;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.database.project.companion.CompanionFunction;
import svc.database.project.companion.CompanionTable;
import svc.database.project.companion.Privilege;
import svc.database.project.companion.TablePart;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/** Steps for the companions' functions, policies and grants. */
final class AccessSteps {
    private static final SqlTemplate FUNCTION_SQL = SqlTemplate.of("""
            CREATE OR REPLACE FUNCTION :{function}(:{argument}) RETURNS :{returns}
            LANGUAGE sql :{volatility} SECURITY INVOKER RETURN :{body};""");
    private static final SqlTemplate OPEN = SqlTemplate.of("GRANT EXECUTE ON FUNCTION :{signature} TO PUBLIC;");
    private static final SqlTemplate POLICY_SQL = SqlTemplate.of("""
            DROP POLICY IF EXISTS :"policy" ON :{table};
            CREATE POLICY :"policy" ON :{table} FOR :{command} TO :"role" USING (:{using}):{check};""");
    private static final SqlTemplate GRANT_SQL = SqlTemplate.of("GRANT :{privileges} ON :{table} TO :{roles};");
    private static final SqlTemplate GRANT_COLUMNS =
            SqlTemplate.of("GRANT SELECT (:{columns}) ON :{table} TO :\"role\";");
    private static final SqlTemplate TRIGGER_DEFINITION =
            SqlTemplate.of("TRIGGER :\"trigger\" :{event} ON :{table} :{action}");
    private static final SqlTemplate TRIGGER_SQL = SqlTemplate.of("""
            CREATE OR REPLACE :{definition};
            ALTER TABLE :{table} ENABLE TRIGGER :"trigger";""");
    private static final SqlTemplate OWNER_GRANT = SqlTemplate.of("GRANT ALL ON :{table} TO :\"owner\";");

    private final ProjectNames names;

    AccessSteps(ProjectNames names) {
        this.names = names;
    }

    List<SqlStep> function(CompanionFunction function) {
        SqlFragment sql = FUNCTION_SQL.bind(Map.of(
                "function", function.schema().in(names).dot(function.name()),
                "argument", function.argument(),
                "returns", function.returns(),
                "volatility", function.volatility(),
                "body", function.body()));
        Set<Fact> facts = Set.of(
                new Fact(FUNCTION, function.label(), function.shape()),
                new Fact(OWNER, "function " + function.label(), "companion"));
        Fact open = new Fact(GRANT, "function " + function.label(), "PUBLIC EXECUTE");
        // A new function may be executed by PUBLIC; what keeps others out is the schema. One that was altered is taken
        // back
        // first, see RevokeSteps.
        Set<Fact> provided = new LinkedHashSet<>(facts);
        provided.add(open);
        return List.of(
                new SqlStep("function " + function.label(), facts, provided, SqlStep.As.COMPANION_OWNER, sql),
                SqlStep.of(
                        "grants on function " + function.label(),
                        Set.of(open),
                        OPEN.bind(Map.of("signature", function.in(names)))));
    }

    List<SqlStep> policies(CompanionTable table) {
        List<SqlStep> steps = new ArrayList<>();
        for (TablePart.Policy policy : table.parts(TablePart.Policy.class)) {
            String label = table.label() + "." + policy.name().name();
            String value =
                    policy.command().sql() + " PERMISSIVE TO " + policy.role().suffix() + " USING "
                            + policy.using().sql() + " CHECK " + policy.check().sql();
            SqlFragment check = policy.check().isEmpty()
                    ? SqlFragment.empty()
                    : SqlFragment.of(" WITH CHECK (").append(policy.check()).append(")");
            steps.add(SqlStep.of(
                    "policy " + label,
                    Set.of(new Fact(POLICY, label, value)),
                    POLICY_SQL.bind(Map.of(
                            "policy", policy.name(),
                            "table", table.in(names),
                            "command", policy.command(),
                            "role", names.role(policy.role()),
                            "using", policy.using(),
                            "check", check))));
        }
        return steps;
    }

    List<SqlStep> triggers(CompanionTable table) {
        List<SqlStep> steps = new ArrayList<>();
        for (TablePart.Trigger trigger : table.parts(TablePart.Trigger.class)) {
            String label = table.label() + "." + trigger.name().name();
            SqlFragment definition = TRIGGER_DEFINITION.bind(Map.of(
                    "trigger", trigger.name(),
                    "event", trigger.event(),
                    "table", table.in(names),
                    "action", trigger.action()));
            steps.add(SqlStep.of(
                    "trigger " + label,
                    Set.of(new Fact(TRIGGER, label, "CREATE " + definition.sql().replace("\"", ""))),
                    TRIGGER_SQL.bind(
                            Map.of("definition", definition, "table", table.in(names), "trigger", trigger.name()))));
        }
        return steps;
    }

    List<SqlStep> grants(CompanionTable table) {
        String subject = "table " + table.label();
        Set<Fact> facts = new LinkedHashSet<>();
        // One GRANT per set of privileges: each GRANT writes a new version of the table's catalog row.
        Map<Set<Privilege>, List<Identifier>> grantees = new LinkedHashMap<>();
        table.grants().forEach((role, privileges) -> {
            privileges.forEach(p -> facts.add(new Fact(GRANT, subject, role.suffix() + " " + p.name())));
            grantees.computeIfAbsent(privileges, p -> new ArrayList<>()).add(names.role(role));
        });
        List<SqlFragment> sql = new ArrayList<>();
        grantees.forEach((privileges, roles) -> sql.add(GRANT_SQL.bind(Map.of(
                "privileges",
                SqlFragment.join(
                        ", ", privileges.stream().sorted().map(Privilege::sql).toList()),
                "table",
                table.in(names),
                "roles",
                SqlFragment.join(", ", roles)))));
        SqlFragment own = OWNER_GRANT.bind(Map.of("table", table.in(names), "owner", PlatformNames.COMPANION_OWNER));
        Fact owning = new Fact(OWNER_PRIVILEGES, subject, "full");
        List<SqlStep> steps = new ArrayList<>(List.of(
                SqlStep.of("grants on " + subject, facts, SqlFragment.join("\n", sql)),
                SqlStep.of("rights of the owner on " + subject, Set.of(owning), own)));
        table.readable().forEach((role, columns) -> steps.add(columnGrants(table, role, columns)));
        return steps;
    }

    private SqlStep columnGrants(CompanionTable table, DatabaseRole role, List<Identifier> columns) {
        Set<Fact> facts = new LinkedHashSet<>();
        columns.forEach(column ->
                facts.add(new Fact(COLUMN_GRANT, table.label() + "." + column.name(), role.suffix() + " SELECT")));
        return SqlStep.of(
                "columns of table " + table.label() + " for " + role.suffix(),
                facts,
                GRANT_COLUMNS.bind(Map.of(
                        "columns",
                        SqlFragment.join(", ", columns),
                        "table",
                        table.in(names),
                        "role",
                        names.role(role))));
    }
}
