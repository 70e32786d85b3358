package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/**
 * Constants and bound values that are compared with the name of a schema or a role, whichever side they stand on. A query may have
 * given a column of the catalog another name.
 */
final class ComparedNames {
    private static final Set<String> OPERATORS = Set.of("=", "<>", "@>", "<@", "&&");

    private static final Set<String> MATCHES = Set.of("~", "!~");

    private final Found found;

    ComparedNames(Found found) {
        this.found = found;
    }

    /** Takes what was found: an expression that is a name if it is a constant. */
    interface Found {
        void name(JsonNode expression, NameKind kind, StatementEdits edits);
    }

    void visit(JsonNode node, CatalogScope scope, StatementEdits edits) {
        if (node.has("lexpr") && node.has("rexpr")) {
            if (compares(node)) {
                sides(node.get("lexpr"), node.get("rexpr"), scope, edits);
            } else if (matches(node)) {
                pattern(node.get("lexpr"), node.get("rexpr"), scope, edits);
            }
        } else if (node.path("args").path(0).has("CaseWhen") && node.has("arg")) {
            for (JsonNode when : node.get("args")) {
                pair(node.get("arg"), when.path("CaseWhen").path("expr"), scope, edits);
            }
        } else if ("ANY_SUBLINK".equals(node.path("subLinkType").asText())) {
            CatalogNames.ofSubquery(node.path("subselect"), scope)
                    .ifPresent(name -> found.name(node.path("testexpr"), name, edits));
        }
    }

    private static boolean compares(JsonNode node) {
        return switch (node.path("kind").asText()) {
            case "AEXPR_OP" -> OPERATORS.contains(Nodes.last(node.path("name")));
            case "AEXPR_OP_ANY",
                    "AEXPR_OP_ALL",
                    "AEXPR_IN",
                    "AEXPR_DISTINCT",
                    "AEXPR_NOT_DISTINCT",
                    "AEXPR_LIKE",
                    "AEXPR_ILIKE" -> true;
            default -> false;
        };
    }

    private static boolean matches(JsonNode node) {
        return "AEXPR_OP".equals(node.path("kind").asText()) && MATCHES.contains(Nodes.last(node.path("name")));
    }

    /** The pattern may have a collation. */
    private void pattern(JsonNode name, JsonNode pattern, CatalogScope scope, StatementEdits edits) {
        JsonNode constant = pattern.has("CollateClause") ? pattern.at("/CollateClause/arg") : pattern;
        CatalogNames.of(name, scope)
                .ifPresent(kind -> found.name(
                        constant, kind == NameKind.ROLE ? NameKind.ROLE_PATTERN : NameKind.SCHEMA_PATTERN, edits));
    }

    /** Two expressions, two rows, or one of them and a list. */
    private void sides(JsonNode left, JsonNode right, CatalogScope scope, StatementEdits edits) {
        JsonNode row = left.path("RowExpr").path("args");
        if (row.isMissingNode()) {
            pair(left, right, scope, edits);
            return;
        }
        rows(row, right.path("RowExpr").path("args"), scope, edits);
        for (JsonNode element : right.path("List").path("items")) {
            rows(row, element.path("RowExpr").path("args"), scope, edits);
        }
    }

    private void rows(JsonNode left, JsonNode right, CatalogScope scope, StatementEdits edits) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            pair(left.get(i), right.get(i), scope, edits);
        }
    }

    private void pair(JsonNode left, JsonNode right, CatalogScope scope, StatementEdits edits) {
        CatalogNames.of(left, scope).ifPresent(kind -> values(right, kind, edits));
        CatalogNames.of(right, scope).ifPresent(kind -> values(left, kind, edits));
    }

    private void values(JsonNode expression, NameKind kind, StatementEdits edits) {
        JsonNode cast = expression.path("TypeCast");
        JsonNode array = TextTypes.contains(cast.path("typeName")) ? cast.path("arg") : expression;
        found.name(expression, kind, edits);
        for (JsonNode element : expression.path("List").path("items")) {
            found.name(element, kind, edits);
        }
        for (JsonNode element : array.path("A_ArrayExpr").path("elements")) {
            found.name(element, kind, edits);
        }
    }
}
