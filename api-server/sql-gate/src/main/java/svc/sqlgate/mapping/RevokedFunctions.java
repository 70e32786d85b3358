package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.script.Replacement;

/**
 * REVOKE … ON FUNCTION … FROM PUBLIC in a further schema. There the project's roles hold what PostgreSQL gives to PUBLIC, so it
 * is taken from them too; otherwise a function that its owner has closed would stay open.
 */
final class RevokedFunctions {
    private static final Set<String> ROUTINES = Set.of("OBJECT_FUNCTION", "OBJECT_PROCEDURE", "OBJECT_ROUTINE");

    private final SupabaseAliases names;

    RevokedFunctions(SupabaseAliases names) {
        this.names = names;
    }

    void visit(JsonNode node, StatementEdits edits) {
        if (!node.has("grantees")
                || node.path("is_grant").asBoolean()
                || !ROUTINES.contains(node.path("objtype").asText())
                || !isInFurtherSchema(node.path("objects"))) {
            return;
        }
        for (JsonNode grantee : node.get("grantees")) {
            JsonNode role = grantee.path("RoleSpec");
            int index = edits.at(Nodes.location(role));
            if ("ROLESPEC_PUBLIC".equals(role.path("roletype").asText()) && index >= 0) {
                Token token = edits.tokens().get(index);
                String callers = Stream.of("anon", "authenticated", "service_role")
                        .flatMap(name -> names.role(name).stream())
                        .collect(Collectors.joining(", "));
                edits.put(new Replacement(token.end(), token.end(), ", " + callers));
            }
        }
    }

    private boolean isInFurtherSchema(JsonNode objects) {
        for (JsonNode object : objects) {
            List<String> parts = Nodes.texts(object.path("ObjectWithArgs").path("objname"));
            String schema = parts.size() == 2
                    ? parts.getFirst()
                    : object.path("String").path("sval").asText();
            if (names.isOfOwner(schema)) {
                return true;
            }
        }
        return false;
    }
}
