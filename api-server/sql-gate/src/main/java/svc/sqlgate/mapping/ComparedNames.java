package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Constants and bound values that are compared with the name of a schema or a role, whichever side they stand on. A query may have
 * given a column of the catalog another name.
 */
final class ComparedNames {
    private static final Set<String> OPERATORS = Set.of("=", "<>", "@>", "<@", "&&");

    private static final Set<String> SCHEMA_COLUMNS = Set.of(
            "nspname",
            "schemaname",
            "schema_name",
            "table_schema",
            "constraint_schema",
            "unique_constraint_schema",
            "trigger_schema",
            "event_object_schema",
            "routine_schema",
            "specific_schema",
            "sequence_schema",
            "domain_schema",
            "udt_schema",
            "view_schema",
            "object_schema",
            "collation_schema",
            "character_set_schema");

    private static final Set<String> ROLE_COLUMNS = Set.of(
            "rolname",
            "role_name",
            "grantee",
            "grantor",
            "usename",
            "roles",
            "tableowner",
            "viewowner",
            "matviewowner",
            "sequenceowner",
            "schema_owner");

    private static final Set<String> CURRENT_ROLE =
            Set.of("SVFOP_CURRENT_USER", "SVFOP_CURRENT_ROLE", "SVFOP_SESSION_USER", "SVFOP_USER");

    private static final int MAX_RENAMES = 16;

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
            }
        } else if (node.path("args").path(0).has("CaseWhen") && node.has("arg")) {
            for (JsonNode when : node.get("args")) {
                pair(node.get("arg"), when.path("CaseWhen").path("expr"), scope, edits);
            }
        } else if ("ANY_SUBLINK".equals(node.path("subLinkType").asText())) {
            Optional<NameKind> kind = target(node.path("subselect"), scope, MAX_RENAMES);
            kind.ifPresent(name -> found.name(node.path("testexpr"), name, edits));
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
        kind(left, scope).ifPresent(kind -> values(right, kind, edits));
        kind(right, scope).ifPresent(kind -> values(left, kind, edits));
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

    /** What an expression's value is the name of. */
    private static Optional<NameKind> kind(JsonNode expression, CatalogScope scope) {
        return kind(expression, scope, MAX_RENAMES);
    }

    /** @param renames how many queries may have given the name another one */
    private static Optional<NameKind> kind(JsonNode expression, CatalogScope scope, int renames) {
        JsonNode inner = expression;
        while (inner.has("TypeCast")) {
            JsonNode cast = inner.get("TypeCast");
            switch (Nodes.last(cast.path("typeName").path("names"))) {
                case "regnamespace":
                    return Optional.of(NameKind.SCHEMA);
                case "regrole":
                    return Optional.of(NameKind.ROLE);
                default:
                    if (!TextTypes.contains(cast.path("typeName"))) {
                        return Optional.empty();
                    }
                    inner = cast.path("arg");
            }
        }
        if (inner.has("ColumnRef")) {
            return column(Nodes.texts(inner.get("ColumnRef").path("fields")), scope, renames);
        }
        JsonNode subquery = inner.path("SubLink");
        return "EXPR_SUBLINK".equals(subquery.path("subLinkType").asText())
                ? target(subquery.path("subselect"), scope, renames)
                : function(inner);
    }

    private static Optional<NameKind> column(List<String> fields, CatalogScope scope, int renames) {
        String name = fields.isEmpty() ? "" : fields.getLast();
        Optional<NameKind> kind = SCHEMA_COLUMNS.contains(name)
                ? Optional.of(NameKind.SCHEMA)
                : ROLE_COLUMNS.contains(name) ? Optional.of(NameKind.ROLE) : Optional.empty();
        if (kind.isPresent() || fields.isEmpty() || renames == 0) {
            return kind.filter(any -> scope.isCatalogColumn(fields));
        }
        return scope.renamed(fields).flatMap(origin -> kind(origin.expression(), origin.scope(), renames - 1));
    }

    private static Optional<NameKind> function(JsonNode expression) {
        String value = expression.path("SQLValueFunction").path("op").asText();
        String called = Nodes.last(expression.path("FuncCall").path("funcname"));
        if (CURRENT_ROLE.contains(value) || "pg_get_userbyid".equals(called)) {
            return Optional.of(NameKind.ROLE);
        }
        return "SVFOP_CURRENT_SCHEMA".equals(value) || "current_schema".equals(called)
                ? Optional.of(NameKind.SCHEMA)
                : Optional.empty();
    }

    /** The one column of a subquery, where that is a column. */
    private static Optional<NameKind> target(JsonNode subquery, CatalogScope scope, int renames) {
        JsonNode select = subquery.path("SelectStmt");
        JsonNode targets = select.path("targetList");
        JsonNode column = targets.path(0).path("ResTarget").path("val").path("ColumnRef");
        return targets.size() == 1 && !column.isMissingNode()
                ? column(Nodes.texts(column.path("fields")), scope.inside(select), renames)
                : Optional.empty();
    }
}
