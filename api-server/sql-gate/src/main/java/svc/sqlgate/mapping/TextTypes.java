package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** The types in which names are compared, and arrays of them. */
final class TextTypes {
    private static final Set<String> NAMES = Set.of("text", "name", "varchar", "bpchar", "sql_identifier", "unknown");

    private TextTypes() {}

    static boolean contains(JsonNode typeName) {
        return NAMES.contains(Nodes.last(typeName.path("names")));
    }
}
