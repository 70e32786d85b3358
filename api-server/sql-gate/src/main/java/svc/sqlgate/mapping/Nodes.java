package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads nodes of the grammar's tree. */
final class Nodes {
    private Nodes() {}

    /** The byte at which a node begins; -1 when the tree does not say. */
    static int location(JsonNode node) {
        return node.path("location").asInt(-1);
    }

    /** The texts of a list of String nodes; empty when anything else is in it. */
    static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        for (JsonNode element : list) {
            JsonNode text = element.path("String").path("sval");
            if (!text.isTextual()) {
                return List.of();
            }
            texts.add(text.asText());
        }
        return texts;
    }

    /** The last part of a name. */
    static String last(JsonNode names) {
        return names.isEmpty()
                ? ""
                : names.get(names.size() - 1).path("String").path("sval").asText();
    }

    /** The last part of a name that the server has; empty when another schema is written before it. */
    static String ofServer(JsonNode names) {
        boolean server = names.size() == 1
                || names.size() == 2
                        && "pg_catalog"
                                .equals(names.path(0)
                                        .path("String")
                                        .path("sval")
                                        .asText());
        return server ? last(names) : "";
    }

    /** A string constant, with or without a cast around it that leaves it a text. */
    static Optional<JsonNode> constant(JsonNode expression) {
        JsonNode constant = withoutTextCasts(expression).path("A_Const");
        return constant.has("sval") ? Optional.of(constant) : Optional.empty();
    }

    private static JsonNode withoutTextCasts(JsonNode expression) {
        JsonNode inner = expression;
        while (inner.has("TypeCast") && TextTypes.contains(inner.get("TypeCast").path("typeName"))) {
            inner = inner.get("TypeCast").path("arg");
        }
        return inner;
    }

    /** The place of a bound value, with or without a cast around it that leaves it a text. */
    static Optional<JsonNode> parameter(JsonNode expression) {
        JsonNode parameter = withoutTextCasts(expression).path("ParamRef");
        return parameter.isMissingNode() ? Optional.empty() : Optional.of(parameter);
    }

    static String value(JsonNode constant) {
        return constant.path("sval").path("sval").asText();
    }
}
