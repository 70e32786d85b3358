package svc.sqlgate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import svc.sqlgate.read.ReadStatement;

/**
 * Whether a script needs the tables of the auth service: it names one besides users, or writes users, somewhere in it or in a
 * body that it defines. A guess that errs costs an error of the server or unused tables, and no safety.
 */
final class AuthTables {
    private static final String USERS = "users";
    private static final Set<String> WRITES = Set.of("InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt");

    private final String schema;

    private AuthTables(String schema) {
        this.schema = schema;
    }

    /** @param schema of the auth service in the database */
    static boolean neededBy(List<ReadStatement> script, String schema) {
        return new AuthTables(schema).neededBy(script);
    }

    private boolean neededBy(List<ReadStatement> statements) {
        return statements.stream()
                .anyMatch(read -> neededBy(read) || neededBy(read.embedded().toList()));
    }

    /** By a stack of its own: trees may be deeper than ours. */
    private boolean neededBy(ReadStatement read) {
        JsonNode tree = read.statement().tree();
        String kind = read.statement().kind();
        if ((WRITES.contains(kind) || CopyRules.writes(kind, tree)) && isOfAuth(tree.path("relation"))) {
            return true;
        }
        Deque<JsonNode> open = new ArrayDeque<>(List.of(tree));
        while (!open.isEmpty()) {
            JsonNode node = open.pop();
            if (isOfAuth(node) && !USERS.equals(node.path("relname").asText())
                    || WRITES.stream()
                            .anyMatch(write -> isOfAuth(node.path(write).path("relation")))) {
                return true;
            }
            for (JsonNode child : node) {
                if (child.isContainerNode()) {
                    open.push(child);
                }
            }
        }
        return false;
    }

    private boolean isOfAuth(JsonNode relation) {
        return relation.has("relname")
                && schema.equals(relation.path("schemaname").asText());
    }
}
