package svc.management.branch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import java.util.List;
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
 */
record BranchTable(
        String id,
        Identifier name,
        List<Identifier> columns,
        List<Identifier> triggers,
        List<String> refersTo,
        boolean single) {
    static BranchTable of(List<String> row) {
        return new BranchTable(
                row.get(0),
                Identifier.of(row.get(1)),
                names(row.get(2)).stream().map(Identifier::of).toList(),
                names(row.get(3)).stream().map(Identifier::of).toList(),
                names(row.get(4)),
                row.get(5).equals("true"));
    }

    private static List<String> names(String json) {
        try {
            return StrictJson.get().readValue(json, new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while reading JSON that PostgreSQL wrote", e);
        }
    }
}
