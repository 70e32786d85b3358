package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;

/** Reads the columns that a SELECT makes, and the names that PostgreSQL gives them. */
final class Targets {
    private Targets() {}

    static JsonNode value(JsonNode target) {
        return target.path("ResTarget").path("val");
    }

    /** Whether a target stands for all columns of tables or of a row. */
    static boolean isStar(JsonNode target) {
        JsonNode value = value(target);
        JsonNode parts = value.path("ColumnRef").path("fields");
        if (parts.isMissingNode()) {
            parts = value.path("A_Indirection").path("indirection");
        }
        return !parts.isEmpty() && parts.get(parts.size() - 1).has("A_Star");
    }

    /** The column's name; empty for one that no application can want to be a catalog's, such as that of a constant. */
    static String name(JsonNode target) {
        JsonNode named = target;
        while (named.has("ResTarget")) {
            JsonNode result = named.get("ResTarget");
            if (result.has("name")) {
                return result.get("name").asText();
            }
            JsonNode value = withoutWrapping(result.path("val"));
            JsonNode subquery = value.path("SubLink");
            if (!"EXPR_SUBLINK".equals(subquery.path("subLinkType").asText())) {
                return ofValue(value);
            }
            named = subquery.path("subselect")
                    .path("SelectStmt")
                    .path("targetList")
                    .path(0);
        }
        return "";
    }

    /** Without what leaves a column's name as it is: casts, collations, and CASE, whose ELSE gives the name. */
    private static JsonNode withoutWrapping(JsonNode value) {
        JsonNode inner = value;
        while (true) {
            if (inner.has("TypeCast")) {
                inner = inner.get("TypeCast").path("arg");
            } else if (inner.has("CollateClause")) {
                inner = inner.get("CollateClause").path("arg");
            } else if (inner.path("CaseExpr").has("defresult")) {
                inner = inner.get("CaseExpr").get("defresult");
            } else {
                return inner;
            }
        }
    }

    private static String ofValue(JsonNode value) {
        if (value.has("ColumnRef")) {
            return Nodes.last(value.get("ColumnRef").path("fields"));
        }
        if (value.has("A_Indirection")) {
            return Nodes.last(value.get("A_Indirection").path("indirection"));
        }
        return Nodes.last(value.path("FuncCall").path("funcname"));
    }
}
