package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of dumps that hold here anyway, or that cannot make a difference. {@code row_security = off} makes a query
 * fail where row security would keep rows from it; leaving it out takes nothing from a dump, whose tables are its
 * owner's.
 */
final class SettingsInForce {
    private static final Map<String, Set<String>> VALUES = Map.of(
            "standard_conforming_strings", Set.of("on", "true", "1"),
            "client_encoding", Set.of("utf8", "utf-8", "unicode"),
            "backslash_quote", Set.of("safe_encoding"),
            "default_tablespace", Set.of(""),
            "row_security", Set.of("on", "true", "1", "off", "false", "0"),
            "session_replication_role", Set.of("origin"));

    /** Limits that the platform keeps by its own clock, whatever a script says. */
    private static final Set<String> KEPT_BY_US = Set.of(
            "statement_timeout", "transaction_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout");

    /** It may be set to what it is alone, so a return to that changes nothing. */
    private static final String REPLICATION_ROLE = "session_replication_role";

    private SettingsInForce() {}

    /** Whether a SET or RESET statement changes nothing. */
    static boolean changesNothing(JsonNode tree, ProjectScope scope) {
        String name = tree.path("name").asText().toLowerCase(Locale.ROOT);
        String kind = tree.path("kind").asText();
        if (KEPT_BY_US.contains(name)) {
            return true;
        }
        if (name.equals(REPLICATION_ROLE) && (kind.equals("VAR_RESET") || kind.equals("VAR_SET_DEFAULT"))) {
            return true;
        }
        if (isSearchPath(tree)) {
            return resetsAll(tree)
                    || kind.equals("VAR_RESET")
                    || kind.equals("VAR_SET_DEFAULT")
                    || isThePath(tree.path("args"), scope);
        }
        return kind.equals("VAR_SET_VALUE")
                && tree.path("args").size() == 1
                && VALUES.getOrDefault(name, Set.of())
                        .contains(constant(tree.path("args").get(0)).toLowerCase(Locale.ROOT));
    }

    static boolean isSearchPath(JsonNode tree) {
        return tree.path("name").asText().equalsIgnoreCase("search_path") || resetsAll(tree);
    }

    /** Of all that a script may set, only the path changes what the rest of it means. */
    private static boolean resetsAll(JsonNode tree) {
        return tree.path("kind").asText().equals("VAR_RESET_ALL");
    }

    /** {@code SELECT pg_catalog.set_config('search_path', '', false)}: a dump that says so qualifies every name. */
    static boolean emptiesTheSearchPath(JsonNode select) {
        if (select.size() > 3 || select.path("targetList").size() != 1) {
            return false;
        }
        JsonNode call = select.at("/targetList/0/ResTarget/val/FuncCall");
        JsonNode name = call.path("funcname");
        JsonNode parameters = call.path("args");
        return !name.isEmpty()
                && name.path(name.size() - 1)
                        .path("String")
                        .path("sval")
                        .asText()
                        .equals("set_config")
                && (name.size() == 1
                        || name.path(0).path("String").path("sval").asText().equals("pg_catalog"))
                && parameters.size() == 3
                && constant(parameters.get(0)).equals("search_path")
                && parameters.get(1).path("A_Const").has("sval")
                && constant(parameters.get(1)).isEmpty();
    }

    /** The project's schema first, and what follows it; an empty name is what dumps write. */
    private static boolean isThePath(JsonNode schemas, ProjectScope scope) {
        boolean holds = !schemas.isEmpty();
        for (JsonNode schema : schemas) {
            String name = constant(schema);
            holds &= scope.isOwnSchema(name)
                    || Set.of("", "$user", "extensions", "pg_catalog").contains(name);
        }
        return holds;
    }

    /** The value of a SET to one constant. */
    static Optional<String> onlyValue(JsonNode tree) {
        JsonNode arguments = tree.path("args");
        return tree.path("kind").asText().equals("VAR_SET_VALUE")
                        && arguments.size() == 1
                        && arguments.get(0).has("A_Const")
                ? Optional.of(constant(arguments.get(0)))
                : Optional.empty();
    }

    private static String constant(JsonNode node) {
        JsonNode constant = node.path("A_Const");
        if (constant.has("sval")) {
            return constant.path("sval").path("sval").asText();
        }
        if (constant.has("fval")) {
            return constant.path("fval").path("fval").asText();
        }
        if (constant.has("boolval")) {
            return Boolean.toString(constant.path("boolval").path("boolval").asBoolean());
        }
        return constant.path("ival").path("ival").asText("0");
    }
}
