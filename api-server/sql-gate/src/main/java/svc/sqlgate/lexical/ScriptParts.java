package svc.sqlgate.lexical;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a long script behind semicolons, into parts that are read one behind the other. Where a text is cut is a guess: each part is
 * read by itself, and what begins or ends in the middle of a statement cannot be read.
 *
 * <p>What two parts are read as, the text of both is read as too: behind the semicolon of a statement that was read PostgreSQL's lexer
 * is in the state in which it begins.
 */
public final class ScriptParts {
    /** Bytes of UTF-8 that one part may have: what is read at once. */
    public static final int MAX_BYTES = 256 * 1024;

    /** Bytes from which on a part is cut: a small part keeps others waiting for a shorter time. */
    private static final int ENOUGH = MAX_BYTES / 2;

    private final String script;
    private final Tokens tokens;
    private final List<Part> parts = new ArrayList<>();
    private int start;
    private int end;
    private int bytes;
    private int parentheses;
    private int atomic;

    private ScriptParts(String script) {
        this.script = script;
        this.tokens = Tokens.of(script);
    }

    /**
     * Whole statements of a script.
     *
     * @param start in UTF-16 units of the script
     * @param bytes of its UTF-8
     */
    public record Part(String text, int start, int bytes) {}

    /** The parts in their order, which are all of the text; none when a string, a name or a comment in it does not end. */
    public static List<Part> of(String script) {
        int all = bytes(script);
        if (all <= MAX_BYTES) {
            return List.of(new Part(script, 0, all));
        }
        var cut = new ScriptParts(script);
        return cut.tokens.size() == 0 ? List.of() : cut.all();
    }

    private List<Part> all() {
        int behind = 0;
        for (int i = 0; i < tokens.size(); i++) {
            follow(i);
            if (tokens.isSymbol(i, ';') && parentheses <= 0 && atomic == 0) {
                add(tokens.get(i).end());
                behind = i + 1;
            }
        }
        if (behind < tokens.size()) {
            add(script.length());
        }
        // Blanks and comments alone are no part.
        end = script.length();
        finish();
        return parts;
    }

    /** A statement that ends there. */
    private void add(int statementEnd) {
        int more = bytes(script.substring(end, statementEnd));
        if (end > start && bytes + more > ENOUGH) {
            finish();
        }
        bytes += more;
        end = statementEnd;
    }

    private void finish() {
        String text = script.substring(start, end);
        parts.add(new Part(text, start, bytes(text)));
        start = end;
        bytes = 0;
    }

    /** Semicolons stand in parentheses in a rule, and in the body of a function between BEGIN ATOMIC and its END. */
    private void follow(int i) {
        if (tokens.isSymbol(i, '(')) {
            parentheses++;
        } else if (tokens.isSymbol(i, ')')) {
            parentheses--;
        } else if (atomic == 0) {
            atomic = tokens.isWord(i, "atomic") && tokens.isWord(i - 1, "begin") ? 1 : 0;
        } else if (tokens.isWord(i, "case")) {
            atomic++;
        } else if (tokens.isWord(i, "end")) {
            atomic--;
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
