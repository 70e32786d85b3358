package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import svc.sqlgate.parser.Statement;

/** Statements that PostgreSQL runs outside of a transaction only: each must be the only one of its script. */
public final class OutsideTransaction {
    private OutsideTransaction() {}

    /** The name of such a statement; empty for every other. */
    public static Optional<String> name(Statement statement) {
        JsonNode tree = statement.tree();
        boolean concurrent = tree.path("concurrent").asBoolean();
        return switch (statement.kind()) {
            case "IndexStmt" -> concurrent ? Optional.of("CREATE INDEX CONCURRENTLY") : Optional.empty();
            case "DropStmt" -> concurrent ? Optional.of("DROP INDEX CONCURRENTLY") : Optional.empty();
            case "ReindexStmt" -> option(tree, "concurrently") ? Optional.of("REINDEX CONCURRENTLY") : Optional.empty();
            case "VacuumStmt" -> tree.path("is_vacuumcmd").asBoolean() ? Optional.of("VACUUM") : Optional.empty();
            case "AlterTableStmt" ->
                tree.at("/cmds/0/AlterTableCmd/def/PartitionCmd/concurrent").asBoolean()
                        ? Optional.of("ALTER TABLE … DETACH PARTITION CONCURRENTLY")
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static boolean option(JsonNode tree, String name) {
        for (JsonNode parameter : tree.path("params")) {
            if (parameter.path("DefElem").path("defname").asText().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
