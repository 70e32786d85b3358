package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/** The names of objects in DROP, COMMENT, GRANT, ALTER and in options: lists of words without a place. */
final class ObjectNames {
    /** A table's parts: the list names the table first. */
    private static final Set<String> MEMBERS =
            Set.of("OBJECT_TRIGGER", "OBJECT_POLICY", "OBJECT_RULE", "OBJECT_TABCONSTRAINT", "OBJECT_COLUMN");

    private static final List<String> KINDS = List.of("removeType", "objtype", "renameType", "objectType");

    private final SupabaseAliases names;
    private final SearchPathClause searchPath;

    ObjectNames(SupabaseAliases names) {
        this.names = names;
        this.searchPath = new SearchPathClause(names);
    }

    void visit(JsonNode node, StatementEdits edits) {
        for (String field : KINDS) {
            if (node.has(field)) {
                objects(node, node.get(field).asText(), edits);
            }
        }
        if (node.has("defname")) {
            option(node, edits);
        }
        if (node.has("newschema")) {
            schema(node.get("newschema").asText(), edits);
        }
        if (node.has("schemaname")) {
            schema(node.get("schemaname").asText(), edits);
        }
        for (JsonNode exclusion : node.path("exclusions")) {
            list(
                    Nodes.texts(exclusion
                            .path("List")
                            .path("items")
                            .path(1)
                            .path("List")
                            .path("items")),
                    0,
                    edits);
        }
        for (JsonNode dictionary : node.path("dicts")) {
            list(Nodes.texts(dictionary.path("List").path("items")), 0, edits);
        }
        if (node.path("pubobjtype").asText().equals("PUBLICATIONOBJ_TABLES_IN_SCHEMA")) {
            schema(node.path("name").asText(), edits);
        }
    }

    /** @param members how many of the last parts belong to the object that the others name */
    void list(List<String> parts, int members, StatementEdits edits) {
        if (parts.size() - members == 2) {
            edits.qualified(-1, parts.get(0), parts.get(1), names.schemaOfObject(parts.get(0), parts.get(1)));
        }
    }

    private void objects(JsonNode node, String kind, StatementEdits edits) {
        boolean all = "ACL_TARGET_ALL_IN_SCHEMA".equals(node.path("targtype").asText());
        object(node.path("object"), kind, all, edits);
        for (JsonNode object : node.path("objects")) {
            object(object, kind, all, edits);
        }
        if ("OBJECT_SCHEMA".equals(kind) && node.has("subname")) {
            schema(node.get("subname").asText(), edits);
        }
    }

    private void object(JsonNode object, String kind, boolean allInSchema, StatementEdits edits) {
        if (object.has("String") && (allInSchema || "OBJECT_SCHEMA".equals(kind))) {
            schema(object.path("String").path("sval").asText(), edits);
        }
        list(Nodes.texts(object.path("List").path("items")), MEMBERS.contains(kind) ? 1 : 0, edits);
    }

    private void option(JsonNode node, StatementEdits edits) {
        JsonNode arg = node.path("arg");
        List<String> parts = Nodes.texts(arg.path("List").path("items"));
        switch (node.get("defname").asText()) {
            case "schema" -> schema(arg.path("String").path("sval").asText(), edits);
            case "schemas" -> parts.forEach(part -> schema(part, edits));
            case "owned_by" -> list(parts, 1, edits);
            case "as" -> {
                // A body: what is in it is read by itself.
            }
            case "set" -> searchPath.visit(arg.path("VariableSetStmt"), edits);
            default -> list(parts, 0, edits);
        }
    }

    private void schema(String name, StatementEdits edits) {
        edits.schema(name, names.schema(name));
    }
}
