package svc.management.branch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import svc.database.sql.Identifier;
import svc.management.json.StrictJson;

/**
 * A table whose rows are copied. Pure.
 *
 * @param id of the table in the catalog
 * @param columns without generated ones
 * @param triggers that are on
 * @param refersTo ids of other tables
 * @param single whether it has no partitions, but may have children that inherit
 * @param documents columns of JSON, with their types
 */
record BranchTable(
        String id,
        Identifier name,
        List<Identifier> columns,
        List<Identifier> triggers,
        List<String> refersTo,
        boolean single,
        Map<Identifier, Document> documents) {
    /** Types of JSON, as the copy reads them. */
    enum Document {
        JSON,
        JSONB,
        /** Over one of the others. */
        DOMAIN
    }

    static BranchTable of(List<String> row) {
        return new BranchTable(
                row.get(0),
                Identifier.of(row.get(1)),
                names(row.get(2)).stream().map(Identifier::of).toList(),
                names(row.get(3)).stream().map(Identifier::of).toList(),
                names(row.get(4)),
                row.get(5).equals("true"),
                documents(row.get(6)));
    }

    private static Map<Identifier, Document> documents(String json) {
        Map<Identifier, Document> found = new LinkedHashMap<>();
        read(json, new TypeReference<Map<String, String>>() {})
                .forEach((name, type) ->
                        found.put(Identifier.of(name), Document.valueOf(type.toUpperCase(Locale.ROOT))));
        return found;
    }

    private static List<String> names(String json) {
        return read(json, new TypeReference<>() {});
    }

    private static <T> T read(String json, TypeReference<T> type) {
        try {
            return StrictJson.get().readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while reading JSON that PostgreSQL wrote", e);
        }
    }
}
