package svc.management.postgres;

import java.util.Optional;
import svc.sqlgate.lexical.Tokens;

/** PREPARE and EXECUTE, as they are written. What is not wholly read is left to the gate, which admits none. Pure. */
sealed interface PreparedSql {
    /** A statement's name. */
    String name();

    /**
     * @param types of its parameters, with the brackets; empty for none
     * @param statement the text behind AS
     */
    record Prepare(String name, String types, String statement) implements PreparedSql {}

    /** @param values of its parameters, with the brackets; empty for none */
    record Execute(String name, String values) implements PreparedSql {}

    /** The statement that is the only one of a text. */
    static Optional<PreparedSql> of(String sql) {
        String text = LocalStatement.bare(sql);
        boolean prepares = LocalStatement.begins(text, "prepare");
        if (!prepares && !LocalStatement.begins(text, "execute")) {
            return Optional.empty();
        }
        Tokens tokens = Tokens.of(text);
        if (tokens.size() < 2 || !tokens.get(1).isName()) {
            return Optional.empty();
        }
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.isSymbol(i, ';')) {
                return Optional.empty();
            }
        }
        String name = tokens.get(1).value();
        int behind = behindBrackets(tokens, 2);
        String brackets = behind == 2
                ? ""
                : text.substring(tokens.get(2).start(), tokens.get(behind - 1).end());
        if (!prepares) {
            return behind == tokens.size() ? Optional.of(new Execute(name, brackets)) : Optional.empty();
        }
        return tokens.isWord(behind, "as") && behind + 1 < tokens.size()
                ? Optional.of(new Prepare(
                        name, brackets, text.substring(tokens.get(behind + 1).start())))
                : Optional.empty();
    }

    /** The index behind the bracket that closes the one at an index; the same index where none stands there. */
    private static int behindBrackets(Tokens tokens, int from) {
        int depth = 0;
        for (int i = from; i < tokens.size(); i++) {
            depth += tokens.isSymbol(i, '(') ? 1 : tokens.isSymbol(i, ')') ? -1 : 0;
            if (depth == 0) {
                return i == from ? from : i + 1;
            }
        }
        return from;
    }
}
