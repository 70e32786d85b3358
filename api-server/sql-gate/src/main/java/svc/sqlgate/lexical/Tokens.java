package svc.sqlgate.lexical;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import svc.sqlgate.parser.SourceText;
import svc.sqlgate.parser.TokenBounds;

/**
 * The tokens of a text in their order, as the scanner of this package finds them, to look for names and words:
 * without blanks and comments, with operators cut into characters (no name hides in one), and with UESCAPE and its
 * character as a part of the constant or name before them.
 */
public final class Tokens {
    private final String text;
    private final List<Token> tokens;
    private final Map<Integer, Integer> byStart = new HashMap<>();

    private Tokens(String text, List<Token> tokens) {
        this.text = text;
        this.tokens = tokens;
        for (int i = 0; i < tokens.size(); i++) {
            byStart.put(tokens.get(i).start(), i);
        }
    }

    /** The tokens of any text; none when one of them does not end, so that nothing is found in what is no SQL. */
    public static Tokens of(String text) {
        List<Token> found = new ArrayList<>();
        try {
            TokenBounds bounds = TokenScanner.scan(text.getBytes(StandardCharsets.UTF_8));
            var source = new SourceText(text);
            for (int i = 0; i < bounds.count(); i++) {
                add(found, text, source.unitOfByte(bounds.start(i)), source.unitOfByte(bounds.end(i)));
            }
        } catch (LexicalFault e) {
            found.clear();
        }
        return new Tokens(text, found);
    }

    private static void add(List<Token> found, String text, int start, int end) {
        if (text.startsWith("--", start) || text.startsWith("/*", start)) {
            return;
        }
        Token token = Token.of(text, start, end);
        if (token.kind() == Token.Kind.SYMBOL) {
            for (int at = start; at < end; at++) {
                found.add(Token.of(text, at, at + 1));
            }
        } else if (token.kind() == Token.Kind.STRING && isEscapeClause(found, text)) {
            found.removeLast();
            found.add(Token.of(text, found.removeLast().start(), end));
        } else {
            found.add(token);
        }
    }

    /** Whether the last two tokens are a constant or a name with Unicode escapes, and the word behind it. */
    private static boolean isEscapeClause(List<Token> found, String text) {
        int word = found.size() - 1;
        return word > 0
                && found.get(word).isWord("uescape")
                && text.regionMatches(true, found.get(word - 1).start(), "u&", 0, 2);
    }

    public int size() {
        return tokens.size();
    }

    public Token get(int index) {
        return tokens.get(index);
    }

    /** A token as it is written. */
    public String raw(int index) {
        return text.substring(get(index).start(), get(index).end());
    }

    /** The index of the token that begins at a unit of the text; -1 when none does. */
    public int startingAt(int unit) {
        return byStart.getOrDefault(unit, -1);
    }

    /** The index of the first token that begins at a unit of the text or after it. */
    public int firstFrom(int unit) {
        int low = 0;
        int high = tokens.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (get(middle).start() < unit) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    public boolean isSymbol(int index, char symbol) {
        return index >= 0 && index < size() && get(index).isSymbol(symbol);
    }

    public boolean isWord(int index, String word) {
        return index >= 0 && index < size() && get(index).isWord(word);
    }

    public boolean isString(int index) {
        return index >= 0 && index < size() && get(index).kind() == Token.Kind.STRING;
    }

    /** Whether a name with a dot behind it begins here, that is not itself behind a dot. */
    public boolean isQualifier(int index) {
        return index >= 0
                && index + 2 < size()
                && get(index).isName()
                && isSymbol(index + 1, '.')
                && !isSymbol(index - 1, '.');
    }
}
