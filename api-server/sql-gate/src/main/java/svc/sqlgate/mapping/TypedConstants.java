package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;

/**
 * Constants and bound values that are read as names: cast to a type of names, given to a function that takes a name, compared
 * with what holds a name of the catalog. A text that merely looks like a name, the role in a token's claims among them, is none.
 */
final class TypedConstants {
    private static final Map<String, NameKind> CASTS = Map.of(
            "regclass", NameKind.RELATION,
            "regtype", NameKind.QUALIFIED,
            "regproc", NameKind.QUALIFIED,
            "regprocedure", NameKind.QUALIFIED,
            "regoper", NameKind.QUALIFIED,
            "regoperator", NameKind.QUALIFIED,
            "regcollation", NameKind.QUALIFIED,
            "regnamespace", NameKind.SCHEMA_IDENTIFIER,
            "regrole", NameKind.ROLE_IDENTIFIER);

    private static final String ROLE = "role";

    private final SupabaseAliases names;
    private final NameConstant constant;
    private final ComparedNames compared;

    TypedConstants(SupabaseAliases names) {
        this.names = names;
        this.constant = new NameConstant(names);
        this.compared = new ComparedNames(this::map);
    }

    void visit(JsonNode node, CatalogScope scope, StatementEdits edits) {
        edits.parameters().visit(node);
        if (node.has("typeName") && node.has("arg")) {
            cast(node, edits);
        } else if (node.has("funcname")) {
            call(node, edits);
        } else if (node.path("kind").asText().equals("VAR_SET_VALUE")) {
            setting(node, edits);
        } else {
            compared.visit(node, scope, edits);
        }
    }

    private void cast(JsonNode node, StatementEdits edits) {
        NameKind kind = CASTS.get(Nodes.ofServer(node.path("typeName").path("names")));
        if (kind == null) {
            return;
        }
        boolean array = node.path("typeName").has("arrayBounds");
        if (!array) {
            map(node.path("arg"), kind, edits);
        }
        for (JsonNode element : node.path("arg").path("A_ArrayExpr").path("elements")) {
            map(element, kind, edits);
        }
    }

    private void call(JsonNode node, StatementEdits edits) {
        String name = Nodes.ofServer(node.get("funcname"));
        JsonNode arguments = node.path("args");
        if (name.equals("set_config") && setsRole(arguments)) {
            map(arguments.path(1), NameKind.ROLE, edits);
        }
        NameArguments signature = NameArguments.of(name);
        if (signature == null) {
            return;
        }
        for (int i = 0; i < arguments.size(); i++) {
            Optional<NameKind> kind = signature.kind(i, arguments.size());
            if (kind.isPresent()) {
                map(arguments.get(i), kind.get(), edits);
            }
        }
    }

    private static boolean setsRole(JsonNode arguments) {
        return Nodes.constant(arguments.path(0))
                .filter(name -> ROLE.equalsIgnoreCase(Nodes.value(name)))
                .isPresent();
    }

    /** SET ROLE, whose value is a word or a string. */
    private void setting(JsonNode node, StatementEdits edits) {
        JsonNode value = node.path("args").path(0).path("A_Const");
        if (!ROLE.equalsIgnoreCase(node.path("name").asText()) || !value.has("sval")) {
            return;
        }
        String role = Nodes.value(value);
        names.role(role).ifPresent(real -> edits.identifier(Nodes.location(value), role, real));
        map(node.path("args").path(0), NameKind.ROLE, edits);
    }

    private void map(JsonNode expression, NameKind kind, StatementEdits edits) {
        Nodes.constant(expression).ifPresent(found -> {
            String value = Nodes.value(found);
            edits.constant(Nodes.location(found), value, constant.edits(kind, value));
        });
        Nodes.parameter(expression).ifPresent(found -> edits.parameters().name(found, kind));
    }
}
