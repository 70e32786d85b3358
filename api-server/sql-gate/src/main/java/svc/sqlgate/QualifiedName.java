package svc.sqlgate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import svc.sqlgate.read.DeclaredType;

/** Names that the grammar keeps as a list of parts. */
final class QualifiedName {
    private QualifiedName() {}

    static String last(JsonNode parts) {
        return parts.isEmpty() ? "" : part(parts, parts.size() - 1);
    }

    /** The schema in a list of parts, judged; a list that also names a database is refused. */
    static Optional<Finding> judge(JsonNode parts, GateScope scope) {
        return judge(parts, parts.size(), scope);
    }

    /**
     * The schema of an object in DROP, COMMENT and the like, where a list also holds what belongs to the object.
     *
     * @param objectType the grammar's word
     */
    static Optional<Finding> ofObject(String objectType, JsonNode parts, GateScope scope) {
        int member = switch (objectType) {
            case "OBJECT_TRIGGER", "OBJECT_POLICY", "OBJECT_RULE", "OBJECT_TABCONSTRAINT", "OBJECT_COLUMN" -> 1;
            // A type stands first, and is judged where every type is.
            case "OBJECT_DOMCONSTRAINT" -> parts.size();
            default -> 0;
        };
        return judge(parts, parts.size() - member, scope);
    }

    /** The schema in the name of a column, or of its table, as {@code %TYPE} has it. */
    static Optional<Finding> ofColumn(JsonNode parts, GateScope scope) {
        return judge(parts, parts.size() - 1, scope);
    }

    static Optional<Finding> ofVariable(DeclaredType type, GateScope scope) {
        int length = type.parts().size() - (type.ofColumn() ? 1 : 0);
        if (length > 2) {
            return Optional.of(withDatabase());
        }
        return length == 2 ? scope.schema(type.parts().getFirst()) : Optional.empty();
    }

    private static Optional<Finding> judge(JsonNode parts, int length, GateScope scope) {
        if (length > 2) {
            return Optional.of(withDatabase());
        }
        return length == 2 ? scope.schema(part(parts, 0)) : Optional.empty();
    }

    private static Finding withDatabase() {
        return Finding.object(
                "a name with a database in it", "Write names with a schema at most: there is one database.");
    }

    private static String part(JsonNode parts, int index) {
        return parts.get(index).path("String").path("sval").asText();
    }
}
