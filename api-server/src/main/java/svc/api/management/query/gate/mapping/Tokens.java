package svc.api.management.query.gate.mapping;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tokens of a text that the grammar has read, in their order, without blanks and comments. */
final class Tokens {
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

    static Tokens of(String text) {
        List<Token> found = new ArrayList<>();
        var lexer = new Lexer(text);
        for (Token token = lexer.next(); token != null; token = lexer.next()) {
            found.add(token);
        }
        return new Tokens(text, found);
    }

    String text() {
        return text;
    }

    int size() {
        return tokens.size();
    }

    Token get(int index) {
        return tokens.get(index);
    }

    String raw(int index) {
        return text.substring(get(index).start(), get(index).end());
    }

    /** The index of the token that begins at a unit of the text; -1 when none does. */
    int startingAt(int unit) {
        return byStart.getOrDefault(unit, -1);
    }

    /** The index of the first token that begins at a unit of the text or after it. */
    int firstFrom(int unit) {
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

    boolean isSymbol(int index, char symbol) {
        return index >= 0 && index < size() && get(index).isSymbol(symbol);
    }

    boolean isWord(int index, String word) {
        return index >= 0 && index < size() && get(index).isWord(word);
    }

    boolean isString(int index) {
        return index >= 0 && index < size() && get(index).kind() == Token.Kind.STRING;
    }

    /** Whether a name with a dot behind it begins here, that is not itself behind a dot. */
    boolean isQualifier(int index) {
        return index >= 0
                && index + 2 < size()
                && get(index).isName()
                && isSymbol(index + 1, '.')
                && !isSymbol(index - 1, '.');
    }
}
