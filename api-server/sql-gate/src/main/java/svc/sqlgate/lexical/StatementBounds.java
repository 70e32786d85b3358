package svc.sqlgate.lexical;

import java.util.List;
import java.util.Optional;
import svc.sqlgate.parser.SourceText;
import svc.sqlgate.parser.Statement;
import svc.sqlgate.parser.TokenBounds;

/**
 * Whether the statements that the grammar found are the parts between the script's semicolons: each begins with the first
 * token after one and ends before the next. Only two kinds may hold semicolons of their own, and only where they can.
 */
final class StatementBounds {
    private final byte[] utf8;
    private final SourceText source;
    private final TokenBounds tokens;
    private final List<Statement> statements;
    private int current;
    private boolean inside;
    private int parentheses;
    private int atomic;

    private StatementBounds(byte[] utf8, SourceText source, TokenBounds tokens, List<Statement> statements) {
        this.utf8 = utf8;
        this.source = source;
        this.tokens = tokens;
        this.statements = statements;
    }

    /** The first token that is in no statement, or begins or ends one where it should not; as a byte offset. */
    static Optional<Integer> firstMismatch(
            byte[] utf8, SourceText source, TokenBounds tokens, List<Statement> statements) {
        var bounds = new StatementBounds(utf8, source, tokens, statements);
        for (int token = 0; token < tokens.count(); token++) {
            if (!bounds.isComment(token) && !bounds.accepts(token)) {
                return Optional.of(tokens.start(token));
            }
        }
        int ended = bounds.inside ? bounds.current + 1 : bounds.current;
        return ended == statements.size() ? Optional.empty() : Optional.of(utf8.length);
    }

    private boolean accepts(int token) {
        int unit = source.unitOfByte(tokens.start(token));
        if (!inside) {
            return is(token, ';') || begins(token, unit);
        }
        Statement statement = statements.get(current);
        int end = statement.location() + statement.length();
        if (unit >= end) {
            inside = false;
            current++;
            return is(token, ';');
        }
        follow(token);
        return source.unitOfByte(tokens.end(token)) <= end && (!is(token, ';') || mayHoldSemicolon(statement));
    }

    private boolean begins(int token, int unit) {
        if (current == statements.size() || statements.get(current).location() != unit) {
            return false;
        }
        inside = true;
        parentheses = 0;
        atomic = 0;
        follow(token);
        return true;
    }

    /** Counts parentheses, and looks for BEGIN with ATOMIC right after it. */
    private void follow(int token) {
        if (is(token, '(')) {
            parentheses++;
        } else if (is(token, ')')) {
            parentheses--;
        }
        if (atomic < 2) {
            boolean next = atomic == 1 && isWord(token, "atomic");
            atomic = next ? 2 : isWord(token, "begin") ? 1 : 0;
        }
    }

    private boolean mayHoldSemicolon(Statement statement) {
        return switch (statement.kind()) {
            case "CreateFunctionStmt" -> atomic == 2;
            case "RuleStmt" -> parentheses > 0;
            default -> false;
        };
    }

    private boolean isComment(int token) {
        return startsWith(token, '-', '-') || startsWith(token, '/', '*');
    }

    private boolean startsWith(int token, char first, char second) {
        int start = tokens.start(token);
        return tokens.end(token) - start >= 2 && utf8[start] == first && utf8[start + 1] == second;
    }

    private boolean is(int token, char c) {
        return tokens.end(token) - tokens.start(token) == 1 && utf8[tokens.start(token)] == c;
    }

    private boolean isWord(int token, String word) {
        int start = tokens.start(token);
        if (tokens.end(token) - start != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if ((utf8[start + i] | 0x20) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
