package svc.sqlgate.lexical;

import java.nio.charset.StandardCharsets;
import svc.sqlgate.parser.SourceText;
import svc.sqlgate.parser.TokenBounds;

/**
 * The tokens of a text in their order, as the scanner of this package finds them, to look for names and words:
 * without blanks and comments, with operators cut into characters (no name hides in one), and with UESCAPE and its
 * character as a part of the constant or name before them.
 */
public final class Tokens {
    private final String text;

    /** A text of 256 KB may have as many tokens: as objects they would take more memory than its tree. */
    private final TokenBounds bounds;

    private Tokens(String text, TokenBounds bounds) {
        this.text = text;
        this.bounds = bounds;
    }

    /** The tokens of any text; none when one of them does not end, so that nothing is found in what is no SQL. */
    public static Tokens of(String text) {
        var found = new TokenBounds.Builder();
        try {
            TokenBounds scanned = TokenScanner.scan(text.getBytes(StandardCharsets.UTF_8));
            var source = new SourceText(text);
            for (int i = 0; i < scanned.count(); i++) {
                add(found, text, source.unitOfByte(scanned.start(i)), source.unitOfByte(scanned.end(i)));
            }
        } catch (LexicalFault e) {
            return new Tokens(text, TokenBounds.NONE);
        }
        return new Tokens(text, found.build());
    }

    private static void add(TokenBounds.Builder found, String text, int start, int end) {
        if (text.startsWith("--", start) || text.startsWith("/*", start)) {
            return;
        }
        Token token = Token.of(text, start, end);
        if (token.kind() == Token.Kind.SYMBOL) {
            for (int at = start; at < end; at++) {
                found.add(at, at + 1);
            }
        } else if (token.kind() == Token.Kind.STRING && isEscapeClause(found, text)) {
            found.removeLast();
            found.add(found.removeLast(), end);
        } else {
            found.add(start, end);
        }
    }

    /** Whether the last two tokens are a constant or a name with Unicode escapes, and the word behind it. */
    private static boolean isEscapeClause(TokenBounds.Builder found, String text) {
        int word = found.count() - 1;
        return word > 0
                && Token.of(text, found.start(word), found.end(word)).isWord("uescape")
                && text.regionMatches(true, found.start(word - 1), "u&", 0, 2);
    }

    public int size() {
        return bounds.count();
    }

    public Token get(int index) {
        return Token.of(text, bounds.start(index), bounds.end(index));
    }

    /** A token as it is written. */
    public String raw(int index) {
        return text.substring(bounds.start(index), bounds.end(index));
    }

    /** The index of the token that begins at a unit of the text; -1 when none does. */
    public int startingAt(int unit) {
        int index = firstFrom(unit);
        return index < size() && bounds.start(index) == unit ? index : -1;
    }

    /** The index of the first token that begins at a unit of the text or after it. */
    public int firstFrom(int unit) {
        int low = 0;
        int high = size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (bounds.start(middle) < unit) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    public boolean isSymbol(int index, char symbol) {
        return is(index, Token.Kind.SYMBOL) && text.charAt(bounds.start(index)) == symbol;
    }

    /** @param word in lower case */
    public boolean isWord(int index, String word) {
        // Most are not even as long; a constant may be as long as the text.
        return index >= 0
                && index < size()
                && bounds.end(index) - bounds.start(index) == word.length()
                && get(index).isWord(word);
    }

    public boolean isString(int index) {
        return is(index, Token.Kind.STRING);
    }

    private boolean is(int index, Token.Kind kind) {
        return index >= 0 && index < size() && Token.kind(text, bounds.start(index), bounds.end(index)) == kind;
    }

    /** Whether a name with a dot behind it begins here, that is not itself behind a dot. */
    public boolean isQualifier(int index) {
        return index + 2 < size()
                && (is(index, Token.Kind.WORD) || is(index, Token.Kind.QUOTED))
                && isSymbol(index + 1, '.')
                && !isSymbol(index - 1, '.');
    }
}
