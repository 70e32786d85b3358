package svc.sqlgate.mapping;

import java.util.List;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.read.InnerText;
import svc.sqlgate.read.InnerText.Origin;
import svc.sqlgate.script.Replacement;

/**
 * One text of a PL/pgSQL block as its tokens stand in the block: without the SELECT that was put before an expression,
 * and without the variable that PL/pgSQL's parser compares the values of CASE with.
 *
 * @param from the first token that the block has
 * @param length how many it has
 * @param sign which of them stands for the sign of an assignment; -1 when none does
 */
record BlockText(Origin origin, Tokens tokens, int from, int length, int sign, List<Replacement> edits) {
    private static final String CASE_VARIABLE = "__Case__Variable_";

    private BlockText(Origin origin, Tokens tokens, int from, int length, List<Replacement> edits) {
        this(origin, tokens, from, length, sign(origin, tokens, from), edits);
    }

    static BlockText of(InnerText text, List<Replacement> edits) {
        Tokens tokens = Tokens.of(text.sql());
        if (text.origin() == Origin.STATEMENT) {
            return new BlockText(text.origin(), tokens, 0, tokens.size(), edits);
        }
        boolean ofCase = tokens.size() > 4
                && tokens.get(1).kind() == Token.Kind.QUOTED
                && tokens.get(1).value().startsWith(CASE_VARIABLE);
        return ofCase
                ? new BlockText(text.origin(), tokens, 4, tokens.size() - 5, edits)
                : new BlockText(text.origin(), tokens, 1, tokens.size() - 1, edits);
    }

    boolean executed() {
        return origin == Origin.EXECUTED_EXPRESSION;
    }

    Token token(int index) {
        return tokens.get(from + index);
    }

    /** What the block may begin it with. */
    List<String> firstWords() {
        String first = token(0).value();
        return isPerform(0) ? List.of(first, "perform") : List.of(first);
    }

    /** Whether a token of the block is this one. */
    boolean reads(int index, Token inBlock, boolean first) {
        Token own = token(index);
        if (assigns(index)) {
            return inBlock.isSymbol('=');
        }
        return own.kind() == inBlock.kind() && own.value().equals(inBlock.value())
                || first && isPerform(index) && inBlock.isWord("perform");
    }

    /** Whether the block has an INTO clause here that the text has not. */
    boolean skipsInto(int index, Token inBlock) {
        return origin == Origin.STATEMENT
                && inBlock.isWord("into")
                && !token(index).isWord("into");
    }

    /** Whether this stands for the sign of an assignment: the first comma outside of brackets. */
    boolean assigns(int index) {
        return origin == Origin.ASSIGNMENT && index == sign;
    }

    private static int sign(Origin origin, Tokens tokens, int from) {
        int depth = 0;
        for (int i = from; origin == Origin.ASSIGNMENT && i < tokens.size(); i++) {
            if (depth == 0 && tokens.isSymbol(i, ',')) {
                return i - from;
            }
            depth += tokens.isSymbol(i, '[') || tokens.isSymbol(i, '(') ? 1 : 0;
            depth -= tokens.isSymbol(i, ']') || tokens.isSymbol(i, ')') ? 1 : 0;
        }
        return -1;
    }

    /** The index of the token that a replacement lies in; negative when the block does not have it. */
    int tokenOf(Replacement edit) {
        int index = tokens.firstFrom(edit.start() + 1) - 1 - from;
        return index >= 0 && index < length && edit.end() <= token(index).end() ? index : -1;
    }

    private boolean isPerform(int index) {
        return origin == Origin.STATEMENT && index == 0 && token(0).isWord("select");
    }
}
