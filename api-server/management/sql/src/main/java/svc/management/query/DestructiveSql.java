package svc.management.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;

/**
 * Finds the statements of a script that may remove data or objects, for a user to agree to. Reads words and not constants,
 * names in quotes and comments. Errs on the side of asking. Pure.
 */
final class DestructiveSql {
    /** Statements that destroy whatever follows their first word. */
    private static final Set<String> ALWAYS = Set.of("drop", "truncate", "delete", "do", "merge");

    /** Statement tags of the grammar that classify a script whose text has no such keyword. */
    private static final Set<String> KINDS = Set.of(
            "DropStmt",
            "TruncateStmt",
            "DeleteStmt",
            "DropRoleStmt",
            "DropOwnedStmt",
            "DropdbStmt",
            "DoStmt",
            "MergeStmt");

    /** What stands before an UPDATE that is a statement or a part of WITH, and not a privilege or an event. */
    private static final Set<String> BEFORE_UPDATE =
            Set.of("explain", "analyze", "verbose", "as", "do", "instead", "also");

    private final String sql;
    private final Tokens tokens;

    private DestructiveSql(String sql) {
        this.sql = sql;
        this.tokens = Tokens.of(sql);
    }

    /**
     * The statements of a script that may destroy, as they are written; all of the script where it is not clear which.
     *
     * @param kinds the grammar's names of its statements; none for a script that will not run
     */
    static List<String> statements(List<String> kinds, String sql) {
        if (kinds.isEmpty()) {
            return List.of();
        }
        List<String> found = new DestructiveSql(sql).found();
        return found.isEmpty() && kinds.stream().anyMatch(KINDS::contains) ? List.of(sql.strip()) : found;
    }

    private List<String> found() {
        List<String> found = new ArrayList<>();
        int from = 0;
        for (int at = 0; at <= tokens.size(); at++) {
            if (at == tokens.size() || tokens.isSymbol(at, ';')) {
                if (at > from && mayDestroy(from, at)) {
                    found.add(sql.substring(
                            tokens.get(from).start(), tokens.get(at - 1).end()));
                }
                from = at + 1;
            }
        }
        return found;
    }

    private boolean mayDestroy(int from, int to) {
        Token first = tokens.get(from);
        if (first.kind() == Token.Kind.WORD && ALWAYS.contains(first.value())) {
            return true;
        }
        if (tokens.isWord(from, "alter")) {
            return hasWord(from, to, "drop");
        }
        return tokens.isWord(from, "update") && !hasOuterWhere(from, to) || changesWithin(from + 1, to);
    }

    private boolean hasWord(int from, int to, String word) {
        for (int at = from; at < to; at++) {
            if (tokens.isWord(at, word)) {
                return true;
            }
        }
        return false;
    }

    /** A WHERE of a subquery restricts the subquery alone. */
    private boolean hasOuterWhere(int from, int to) {
        int depth = 0;
        for (int at = from; at < to; at++) {
            if (tokens.isSymbol(at, '(')) {
                depth++;
            } else if (tokens.isSymbol(at, ')')) {
                depth--;
            } else if (depth == 0 && tokens.isWord(at, "where")) {
                return true;
            }
        }
        return false;
    }

    /** Whether a statement of another kind holds a change, as WITH, EXPLAIN, COPY, PREPARE and rules can. */
    private boolean changesWithin(int from, int to) {
        for (int at = from; at < to; at++) {
            if (tokens.isWord(at, "delete") && tokens.isWord(at + 1, "from")
                    || tokens.isWord(at, "merge") && tokens.isWord(at + 1, "into")
                    || isUpdate(at)) {
                return true;
            }
        }
        return false;
    }

    private boolean isUpdate(int at) {
        if (!tokens.isWord(at, "update") || tokens.isWord(at + 1, "set")) {
            return false;
        }
        Token before = tokens.get(at - 1);
        return before.isSymbol('(')
                || before.isSymbol(')')
                || before.kind() == Token.Kind.WORD && BEFORE_UPDATE.contains(before.value());
    }
}
