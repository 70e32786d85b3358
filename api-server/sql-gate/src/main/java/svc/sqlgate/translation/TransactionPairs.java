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

    /**
     * Halves of pairs.
     *
     * @param numbers of the statements that may be left out
     * @param open whether the last BEGIN has no COMMIT yet
     */
    public record Found(Set<Integer> numbers, boolean open) {
        public Found {
            numbers = Set.copyOf(numbers);
        }
    }

    /**
     * Those of a script, or of a part of one; none unless all that control a transaction belong to pairs.
     *
     * @param open whether a part before it has begun a pair
     * @param goesOn whether another part follows, which may end one
     */
    public static Found of(List<Statement> part, boolean open, boolean goesOn) {
        Set<Integer> numbers = new HashSet<>();
        boolean inside = open;
        for (Statement statement : part) {
            if (!statement.kind().equals("TransactionStmt")) {
                continue;
            }
            if (inside ? !commits(statement.tree()) : !begins(statement.tree())) {
                return new Found(Set.of(), inside);
            }
            inside = !inside;
            numbers.add(statement.number());
        }
        return new Found(inside && !goesOn ? Set.of() : numbers, inside);
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
