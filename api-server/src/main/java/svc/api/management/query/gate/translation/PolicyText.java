package svc.api.management.query.gate.translation;

import java.util.List;

/** Finds the conditions in the text of CREATE or ALTER POLICY, which the grammar has read as one. */
final class PolicyText {
    private final String text;
    private final List<Token> tokens;

    PolicyText(String text) {
        this.text = text;
        this.tokens = Token.of(text);
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
            Token token = tokens.get(i);
            if (depth == 0 && token.isWord(word) && tokens.get(i + 1).is("(")) {
                return text.substring(tokens.get(i + 1).end(), closing(i + 1).start());
            }
            depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
        }
        throw new IllegalStateException("no " + word + " in a policy that the grammar has read one in");
    }

    private Token closing(int open) {
        int depth = 0;
        for (int i = open; i < tokens.size(); i++) {
            depth += tokens.get(i).is("(") ? 1 : tokens.get(i).is(")") ? -1 : 0;
            if (depth == 0) {
                return tokens.get(i);
            }
        }
        throw new IllegalStateException("an open parenthesis in a policy that the grammar has read");
    }
}
