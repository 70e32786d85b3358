package svc.sqlgate.translation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import svc.sqlgate.parser.Statement;

/**
 * BEGIN and COMMIT in pairs ask for what a script is anyway, all or nothing, and are left out. Everything else that
 * controls a transaction would change what is applied, and is refused: ROLLBACK, SAVEPOINT, half of a pair, modes of
 * isolation.
 */
public final class TransactionPairs {
    /** The tag of what ends a pair. */
    public static final String COMMIT = "COMMIT";

    private TransactionPairs() {}

    /** The numbers of the statements that may be left out; none unless all of a script's belong to pairs. */
    public static Set<Integer> of(List<Statement> script) {
        Set<Integer> numbers = new HashSet<>();
        boolean open = false;
        for (Statement statement : script) {
            if (!statement.kind().equals("TransactionStmt")) {
                continue;
            }
            if (open ? !commits(statement.tree()) : !begins(statement.tree())) {
                return Set.of();
            }
            open = !open;
            numbers.add(statement.number());
        }
        return open ? Set.of() : Set.copyOf(numbers);
    }

    /** PostgreSQL's command tag. */
    public static String tag(Statement statement) {
        return switch (statement.tree().path("kind").asText()) {
            case "TRANS_STMT_BEGIN" -> "BEGIN";
            case "TRANS_STMT_START" -> "START TRANSACTION";
            default -> COMMIT;
        };
    }

    private static boolean begins(JsonNode tree) {
        return Set.of("TRANS_STMT_BEGIN", "TRANS_STMT_START")
                        .contains(tree.path("kind").asText())
                && tree.path("options").isEmpty();
    }

    private static boolean commits(JsonNode tree) {
        return tree.path("kind").asText().equals("TRANS_STMT_COMMIT")
                && !tree.path("chain").asBoolean();
    }
}
