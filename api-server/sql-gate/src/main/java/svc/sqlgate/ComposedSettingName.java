package svc.sqlgate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/**
 * A parameter's name that is put together: by {@code ||}, or by {@code format} or {@code concat} with a constant at first. What the
 * constant begins decides, for a name keeps its beginning whatever comes behind.
 */
final class ComposedSettingName {
    private static final String OPERATOR = "||";

    private ComposedSettingName() {}

    /** Whether the name is one of the application's, whatever is put behind its beginning. */
    static boolean isCustom(JsonNode expression) {
        return SettingRules.isCustom(beginning(expression).toLowerCase(Locale.ROOT));
    }

    /** The constant that it begins with; empty where there is none. */
    private static String beginning(JsonNode expression) {
        JsonNode node = expression;
        while (isConcatenation(node.path("A_Expr"))) {
            node = node.path("A_Expr").path("lexpr");
        }
        JsonNode call = node.path("FuncCall");
        if (call.isObject()) {
            String first = constant(call.path("args").path(0));
            return switch (QualifiedName.last(call.path("funcname"))) {
                case "concat" -> first;
                case "format" -> first.indexOf('%') < 0 ? first : first.substring(0, first.indexOf('%'));
                default -> "";
            };
        }
        return constant(node);
    }

    private static boolean isConcatenation(JsonNode operation) {
        JsonNode name = operation.path("name");
        return name.size() == 1
                && name.get(0).path("String").path("sval").asText().equals(OPERATOR)
                && operation.has("lexpr");
    }

    private static String constant(JsonNode node) {
        return node.path("A_Const").path("sval").path("sval").asText();
    }
}
