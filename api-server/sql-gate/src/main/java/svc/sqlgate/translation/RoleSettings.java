package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/**
 * ALTER ROLE and ALTER DATABASE … SET. A function of the platform sets what a project may set for its roles; a setting of the database
 * is one of all its roles.
 */
final class RoleSettings {
    private static final SqlTemplate SET =
            SqlTemplate.of("CALL svc_statements.set_for_roles(:{roles}, :'setting', :{value})");

    /** How long a request may run, and wait for a lock. */
    private static final Set<String> LIMITS = Set.of("statement_timeout", "lock_timeout");

    /** PostgREST's own, which it reads from its login. */
    private static final String OF_REST = "pgrst.";

    /** What stands before the dot in names that are not an application's own. */
    private static final Set<String> RESERVED = Set.of("svc", "plpgsql", "request", "response", "pgrst");

    private static final String DATABASE = "postgres";

    private static final String KEPT =
            "Kept are statement_timeout and lock_timeout of anon and authenticated, and names with a dot,"
                    + " such as app.name. A function has other settings by a SET clause of its own.";

    private final ProjectScope scope;
    private final ProjectNames names;

    RoleSettings(ProjectScope scope, ProjectNames names) {
        this.scope = scope;
        this.names = names;
    }

    /** ALTER ROLE … SET and RESET. */
    Rewrite ofRole(JsonNode tree) {
        // ALTER ROLE ALL names none.
        Optional<String> role =
                Optional.of(tree.path("role")).filter(JsonNode::isObject).flatMap(scope::role);
        if (role.isEmpty() || role.get().equals("public") || tree.has("database")) {
            return Rewrite.asIs();
        }
        String setting = setting(tree);
        if (role.get().equals(role(DatabaseRole.API))) {
            return Rewrite.refused(
                    "ALTER ROLE … SET of authenticator",
                    setting.startsWith(OF_REST)
                            ? "It is a setting of the REST API: PATCH /v1/projects/{ref}/postgrest, such as {\"max_rows\": 1000},"
                                    + " or spec.rest of the Project."
                            : "Its login is the platform's. " + KEPT);
        }
        boolean caller =
                role.get().equals(role(DatabaseRole.ANON)) || role.get().equals(role(DatabaseRole.AUTHENTICATED));
        boolean login =
                role.get().equals(role(DatabaseRole.OWNER)) || role.get().equals(role(DatabaseRole.SERVICE));
        return isOwn(setting) && (caller || login) || caller && LIMITS.contains(setting)
                ? set(List.of(role.get()), tree, "ALTER ROLE")
                : Rewrite.refused("ALTER ROLE … SET " + setting, KEPT);
    }

    /** ALTER DATABASE … SET and RESET of the database that connection strings name. */
    Rewrite ofDatabase(JsonNode tree) {
        String setting = setting(tree);
        if (!tree.path("dbname").asText().equals(DATABASE)) {
            return Rewrite.asIs();
        }
        return isOwn(setting)
                ? set(
                        List.of(
                                role(DatabaseRole.ANON),
                                role(DatabaseRole.AUTHENTICATED),
                                role(DatabaseRole.SERVICE),
                                role(DatabaseRole.OWNER)),
                        tree,
                        "ALTER DATABASE")
                : Rewrite.refused("ALTER DATABASE … SET " + setting, KEPT);
    }

    private Rewrite set(List<String> roles, JsonNode tree, String tag) {
        JsonNode statement = tree.path("setstmt");
        boolean taken = Set.of("VAR_RESET", "VAR_SET_DEFAULT")
                .contains(statement.path("kind").asText());
        Optional<String> value = taken ? Optional.empty() : SettingsInForce.onlyValue(statement);
        if (!taken && value.isEmpty()) {
            return Rewrite.refused("a setting of a role in this form", "Write SET name = 'value', or RESET name.");
        }
        SqlFragment list =
                SqlFragment.join(", ", roles.stream().map(Literal::of).toList());
        return new Rewrite.Instead(
                SET.bind(Map.of(
                        "roles", SqlFragment.of("ARRAY[").append(list).append("]"),
                        "setting", Literal.of(setting(tree)),
                        "value",
                                value.map(text -> SqlFragment.of(Literal.of(text)))
                                        .orElse(SqlFragment.of("NULL")))),
                tag);
    }

    private String role(DatabaseRole role) {
        return names.role(role).name();
    }

    private static String setting(JsonNode tree) {
        return tree.path("setstmt").path("name").asText().toLowerCase(Locale.ROOT);
    }

    /** As {@code svc_guard.is_own_setting}, which decides. */
    private static boolean isOwn(String setting) {
        int dot = setting.indexOf('.');
        return dot > 0 && !RESERVED.contains(setting.substring(0, dot));
    }
}
