package svc.sqlgate.translation;

import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;

/** Finds the conditions in the text of CREATE or ALTER POLICY, which the grammar has read as one. */
final class PolicyText {
    private final String text;
    private final Tokens tokens;

    PolicyText(String text) {
        this.text = text;
        this.tokens = Tokens.of(text);
    }

    /** What stands between the parentheses of USING. */
    String using() {
        return after("using");
    }

    /** What stands between the parentheses of WITH CHECK. */
    String check() {
        return after("check");
    }

    /** Both words are reserved: outside of parentheses they stand for nothing else. */
    private String after(String word) {
        int depth = 0;
        for (int i = 0; i + 1 < tokens.size(); i++) {
            if (depth == 0 && tokens.isWord(i, word) && tokens.isSymbol(i + 1, '(')) {
                return text.substring(tokens.get(i + 1).end(), closing(i + 1).start());
            }
            depth += change(i);
        }
        throw new IllegalStateException("no " + word + " in a policy that the grammar has read one in");
    }

    private Token closing(int open) {
        int depth = 0;
        for (int i = open; i < tokens.size(); i++) {
            depth += change(i);
            if (depth == 0) {
                return tokens.get(i);
            }
        }
        throw new IllegalStateException("an open parenthesis in a policy that the grammar has read");
    }

    /** By how much a token changes the depth. */
    private int change(int index) {
        return tokens.isSymbol(index, '(') ? 1 : tokens.isSymbol(index, ')') ? -1 : 0;
    }
}
