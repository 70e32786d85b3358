package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Walks the tree of a statement and finds what in it names a schema or a role. Nodes are recognised by the fields they have,
 * because the grammar leaves a node's name out where only one kind fits. By a stack of its own: trees may be deeper than
 * ours.
 */
final class TreeNames {
    /** Fields that hold a name as a list of parts, without saying where it stands. */
    private static final Set<String> LISTS = Set.of(
            "objname",
            "domainname",
            "defnames",
            "collname",
            "opclass",
            "collation",
            "name",
            "useOp",
            "operName",
            "typeName",
            "cfgname",
            "dictname");

    /** Every field by which this and other visitors recognise a node. */
    private static final Set<String> TELLING = Stream.concat(
                    LISTS.stream(),
                    Stream.of(
                            "relname",
                            "typemod",
                            "funcname",
                            "fields",
                            "roletype",
                            "removeType",
                            "objtype",
                            "renameType",
                            "objectType",
                            "defname",
                            "newschema",
                            "schemaname",
                            "exclusions",
                            "dicts",
                            "pubobjtype",
                            "lexpr",
                            "arg",
                            "subLinkType",
                            "fromClause",
                            "withClause",
                            "relation",
                            "ctename",
                            "ParamRef"))
            .collect(Collectors.toUnmodifiableSet());

    private final SupabaseAliases names;
    private final ObjectNames objects;
    private final TypedConstants constants;
    private final RevokedFunctions revoked;

    TreeNames(SupabaseAliases names) {
        this.names = names;
        this.revoked = new RevokedFunctions(names);
        this.objects = new ObjectNames(names);
        this.constants = new TypedConstants(names);
    }

    /** A node and the query around it. */
    private record Visit(JsonNode node, CatalogScope scope) {}

    void collect(JsonNode tree, StatementEdits edits) {
        var relations = new NamedRelations(tree);
        Deque<Visit> open = new ArrayDeque<>();
        open.push(new Visit(tree, CatalogScope.outermost()));
        while (!open.isEmpty()) {
            Visit visit = open.pop();
            JsonNode node = visit.node();
            CatalogScope scope = visit.scope();
            if (tells(node)) {
                scope = scope.inside(node);
                visit(node, relations, edits);
                constants.visit(node, scope, edits);
            }
            for (JsonNode child : node) {
                if (child.isContainerNode()) {
                    open.push(new Visit(child, scope));
                }
            }
        }
    }

    /** Whether any field of a node is one that is looked for: most nodes only wrap another. */
    private static boolean tells(JsonNode node) {
        if (node.isObject()) {
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                if (TELLING.contains(field.getKey())) {
                    return true;
                }
            }
        }
        return false;
    }

    private void visit(JsonNode node, NamedRelations relations, StatementEdits edits) {
        if (node.has("relname")) {
            relation(node, edits);
        } else if (node.has("typemod") && node.has("names")) {
            type(node, edits);
        } else if (node.path("funcname").isArray()) {
            function(node, edits);
        } else if (node.path("fields").isArray()) {
            column(node, relations, edits);
        } else if ("ROLESPEC_CSTRING".equals(node.path("roletype").asText())) {
            String role = node.path("rolename").asText();
            names.role(role).ifPresent(real -> edits.identifier(Nodes.location(node), role, real));
        } else {
            objects.visit(node, edits);
            revoked.visit(node, edits);
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (field.getValue().isArray() && LISTS.contains(field.getKey())) {
                List<String> parts = Nodes.texts(field.getValue());
                if (field.getKey().equals("opclass") && parts.size() == 2) {
                    edits.qualified(
                            -1, parts.get(0), parts.get(1), names.schemaOfOperatorClass(parts.get(0), parts.get(1)));
                } else {
                    objects.list(parts, 0, edits);
                }
            }
        }
    }

    private void relation(JsonNode node, StatementEdits edits) {
        if (node.has("schemaname") && !node.has("catalogname")) {
            String schema = node.get("schemaname").asText();
            String relation = node.get("relname").asText();
            edits.qualified(Nodes.location(node), schema, relation, names.schemaOfRelation(schema, relation));
        }
    }

    /** A type; with %TYPE a column, whose table needs no schema. */
    private void type(JsonNode node, StatementEdits edits) {
        List<String> parts = Nodes.texts(node.get("names"));
        int qualified = node.path("pct_type").asBoolean() ? 3 : 2;
        if (parts.size() >= 2) {
            Optional<String> real = parts.size() != qualified
                    ? Optional.empty()
                    : qualified == 2 ? names.schemaOfType(parts.get(0), parts.get(1)) : names.schema(parts.get(0));
            edits.qualified(Nodes.location(node), parts.get(0), parts.get(1), real);
        }
    }

    /** A call, or the name of what CREATE FUNCTION makes or a trigger runs; the latter have no place. */
    private void function(JsonNode node, StatementEdits edits) {
        List<String> parts = Nodes.texts(node.get("funcname"));
        // EXTRACT, OVERLAY and the like are calls in pg_catalog that the caller did not write as such.
        boolean written = !"COERCE_SQL_SYNTAX".equals(node.path("funcformat").asText());
        if (parts.size() == 2 && written) {
            edits.qualified(
                    Nodes.location(node),
                    parts.get(0),
                    parts.get(1),
                    node.has("options")
                            ? names.schemaOfFunction(parts.get(0), parts.get(1))
                            : names.schemaOfCalled(parts.get(0), parts.get(1)));
        }
    }

    /**
     * Of two parts the first is a table or its alias, never a schema. Of three it may be a block of PL/pgSQL or a function
     * with a row in it, unless the statement names that table.
     */
    private void column(JsonNode node, NamedRelations relations, StatementEdits edits) {
        JsonNode fields = node.get("fields");
        if (fields.size() < 2) {
            return;
        }
        String first = fields.get(0).path("String").path("sval").asText();
        String second = fields.get(1).path("String").path("sval").asText();
        boolean qualified = fields.size() == 3 && (!names.isOfSomething(first) || relations.contain(first, second));
        edits.qualified(
                Nodes.location(node),
                first,
                second,
                qualified ? names.schemaOfRelation(first, second) : Optional.empty());
    }
}
