package svc.sqlgate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;

/**
 * New names of tables and views that begin as those of the catalogs do. PostgreSQL reserves the prefix and refuses it for
 * schemas alone; here unqualified names with it mean the catalog's, so that nothing could be written to such a table. Pure.
 */
final class ReservedName {
    private static final String PREFIX = "pg_";
    private static final String TEMPORARY = "t";
    private static final Set<String> RELATIONS = Set.of("OBJECT_TABLE", "OBJECT_VIEW", "OBJECT_MATVIEW");

    private ReservedName() {}

    /** @param kind the grammar's name of the statement */
    static Optional<Finding> judge(String kind, JsonNode tree) {
        return switch (kind) {
            case "CreateStmt" -> relation(tree.path("relation"));
            case "ViewStmt" -> relation(tree.path("view"));
            case "CreateTableAsStmt" -> relation(tree.path("into").path("rel"));
            case "RenameStmt" ->
                RELATIONS.contains(tree.path("renameType").asText())
                        ? name(tree.path("newname").asText())
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** A temporary one is met by its schema, pg_temp, as well. */
    private static Optional<Finding> relation(JsonNode relation) {
        if (relation.path("relpersistence").asText().equals(TEMPORARY)) {
            return Optional.empty();
        }
        return name(relation.path("relname").asText()).map(found -> found.at(relation));
    }

    private static Optional<Finding> name(String name) {
        return name.startsWith(PREFIX)
                ? Optional.of(Finding.object(
                        "the name " + name,
                        "The prefix \"pg_\" is reserved for system catalogs: a statement about such a name is one about a"
                                + " catalog. Choose another name."))
                : Optional.empty();
    }
}
