package svc.sqlgate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which parameters a script may set. A parameter that decides how the next text is read, or what the platform relies on,
 * is never among them; of the roles, a script may take those that have fewer rights than its own.
 */
final class SettingRules {
    /** Touch only the script that sets them. */
    private static final Set<String> HARMLESS = Set.of(
            "check_function_bodies",
            "client_min_messages",
            "default_table_access_method",
            "default_toast_compression",
            "jit",
            "lock_timeout",
            "maintenance_work_mem",
            "timezone",
            "work_mem",
            "xmloption");

    /** Allowed in a function's own SET clause; in effect while the function runs. */
    private static final Set<String> OF_A_FUNCTION =
            Set.of("search_path", "statement_timeout", "lock_timeout", "timezone", "work_mem", "jit");

    private static final String ROLE = "role";

    private SettingRules() {}

    /** SET search_path to a list of names. */
    static boolean setsSearchPath(JsonNode tree) {
        if (!name(tree).equals("search_path")
                || !"VAR_SET_VALUE".equals(tree.path("kind").asText())) {
            return false;
        }
        for (JsonNode schema : tree.path("args")) {
            if (!schema.path("A_Const").has("sval")) {
                return false;
            }
        }
        return true;
    }

    /** A SET or RESET statement that changes something. */
    static Optional<Finding> statement(JsonNode tree, GateScope scope) {
        return name(tree).equals(ROLE) ? role(tree, scope).map(finding -> finding.at(tree)) : judge(tree, HARMLESS);
    }

    private static Optional<Finding> role(JsonNode tree, GateScope scope) {
        return switch (tree.path("kind").asText()) {
            case "VAR_RESET", "VAR_SET_DEFAULT" -> Optional.empty();
            case "VAR_SET_VALUE" -> scope.taken(constant(tree.path("args").path(0)));
            default -> named(ROLE, HARMLESS);
        };
    }

    /** The SET clause of CREATE or ALTER FUNCTION. */
    static Optional<Finding> clause(JsonNode tree) {
        return judge(tree, OF_A_FUNCTION);
    }

    /** A call of set_config: its first argument must be a constant that SET might name; so must a role's name be. */
    static Optional<Finding> call(JsonNode functionCall, GateScope scope) {
        JsonNode first = functionCall.path("args").path(0);
        if (!first.path("A_Const").has("sval")) {
            return ComposedSettingName.isCustom(first)
                    ? Optional.empty()
                    : Optional.of(
                            Finding.statement(
                                    "set_config of a parameter that is not a constant",
                                    "Write the parameter's name as a constant, or begin it with one that ends in a dot: 'app.' || name."));
        }
        String name = constant(first).toLowerCase(Locale.ROOT);
        if (!name.equals(ROLE)) {
            return named(name, HARMLESS);
        }
        JsonNode second = functionCall.path("args").path(1);
        return second.path("A_Const").has("sval")
                ? scope.taken(constant(second))
                : scope.computedRole(Finding.statement(
                        "set_config of a role that is not a constant", "Write the role's name as a constant."));
    }

    private static Optional<Finding> judge(JsonNode tree, Set<String> allowed) {
        return switch (tree.path("kind").asText()) {
            case "VAR_RESET_ALL" -> Optional.of(Finding.statement("RESET ALL", "Reset parameters by name."));
            case "VAR_SET_MULTI" ->
                Optional.of(Finding.statement(
                        "SET " + tree.path("name").asText(),
                        "The whole script runs in one transaction that the platform begins and ends."));
            default -> named(name(tree), allowed).map(finding -> finding.at(tree));
        };
    }

    private static Optional<Finding> named(String name, Set<String> allowed) {
        if (isCustom(name) || allowed.contains(name)) {
            return Optional.empty();
        }
        return Optional.of(
                switch (name) {
                    case "role", "session_authorization" ->
                        Finding.statement(
                                "a change of the session's role",
                                "SQL runs as the project's owner. To try policies, SET ROLE anon or authenticated.");
                    case "search_path" ->
                        Finding.statement(
                                "a change of search_path in this form",
                                "Write SET search_path TO and the names of schemas. A function may have a SET search_path"
                                        + " clause.");
                    case "session_replication_role" ->
                        Finding.statement(
                                "a change of the parameter " + name,
                                "It would skip triggers and foreign keys. Write ALTER TABLE … DISABLE TRIGGER USER before, and"
                                        + " ENABLE TRIGGER USER behind, and insert referenced rows first, or make the keys"
                                        + " DEFERRABLE.");
                    default ->
                        Finding.statement("a change of the parameter " + name, "Leave it as the platform set it.");
                });
    }

    /**
     * Whether a name, or the beginning of one, belongs to the application: PostgreSQL itself gives no meaning to a name with a dot.
     *
     * @param name in lower case
     */
    static boolean isCustom(String name) {
        return name.indexOf('.') > 0 && !name.startsWith("svc.") && !name.startsWith("plpgsql.");
    }

    private static String name(JsonNode tree) {
        return tree.path("name").asText().toLowerCase(Locale.ROOT);
    }

    private static String constant(JsonNode node) {
        JsonNode constant = node.path("A_Const");
        if (constant.has("sval")) {
            return constant.path("sval").path("sval").asText();
        }
        if (constant.has("boolval")) {
            return Boolean.toString(constant.path("boolval").path("boolval").asBoolean());
        }
        return constant.path("ival").path("ival").asText("0");
    }
}
