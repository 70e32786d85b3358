package svc.sqlgate.mapping;

import java.util.Set;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;

/**
 * The DECLARE sections of a PL/pgSQL block. Between DECLARE and BEGIN each declaration begins with a name, and its type
 * follows: there, and nowhere else, a qualifier that nothing else is known of is a schema's.
 */
final class Declarations {
    /** What a section may follow; the first one of a block follows nothing. */
    private static final Set<String> BEFORE_A_SECTION = Set.of(";", "begin", "then", "else", "loop", ">");

    private final Tokens tokens;
    private int read;
    private boolean declaring;
    private int name = -1;

    /** Whether the parameters of a cursor may follow, each a name and a type. */
    private boolean cursor;

    Declarations(Tokens tokens) {
        this.tokens = tokens;
    }

    /** Whether a declared type begins at a token; asked in the order of the tokens. */
    boolean isType(int index) {
        for (; read <= index; read++) {
            read(read);
        }
        boolean ofVariable = index == name + 1 || index == name + 2 && tokens.isWord(index - 1, "constant");
        boolean ofParameter = cursor && (tokens.isSymbol(index - 2, '(') || tokens.isSymbol(index - 2, ','));
        return declaring && (ofVariable || ofParameter);
    }

    private void read(int index) {
        boolean begins = index == 0 || isBeforeSection(tokens.get(index - 1));
        if (tokens.isWord(index, "declare") && (begins || declaring)) {
            declaring = true;
            name = index + 1;
        } else if (declaring && tokens.isSymbol(index, ';')) {
            name = index + 1;
        } else if (tokens.isWord(index, "cursor")) {
            cursor = declaring && index <= name + 3;
        } else if (tokens.isWord(index, "for") || tokens.isWord(index, "is")) {
            cursor = false;
        } else if (declaring && index == name && tokens.isWord(index, "begin")) {
            declaring = false;
            name = -1;
        }
    }

    private static boolean isBeforeSection(Token token) {
        return token.kind() != Token.Kind.QUOTED && BEFORE_A_SECTION.contains(token.value());
    }
}
