package svc.sqlgate.block;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.read.DeclaredType;

/**
 * The variables that a PL/pgSQL body declares, found by its tokens. A search that may be wrong: what is made of it is
 * checked against what PostgreSQL's grammar reads ({@link ReadableBlock#agrees}).
 */
public final class Declarations {
    /** Types that are words of the grammar: no type of a project has such a name, and the parser knows them all. */
    private static final Set<String> GRAMMAR_TYPES = Set.of(
            "bigint",
            "bit",
            "boolean",
            "char",
            "character",
            "dec",
            "decimal",
            "double",
            "float",
            "int",
            "integer",
            "interval",
            "json",
            "national",
            "nchar",
            "numeric",
            "real",
            "smallint",
            "time",
            "timestamp",
            "varchar");

    /** Only a variable of this type is a cursor. */
    private static final String CURSOR_TYPE = "refcursor";

    private static final Set<String> BEFORE_A_BLOCK = Set.of(";", ">", "begin", "then", "else", "loop");

    private final Tokens tokens;
    private final int first;
    private final List<Token> variables = new ArrayList<>();
    private final List<DeclaredType> types = new ArrayList<>();
    private final List<Span> unknown = new ArrayList<>();
    private final BitSet typeTokens = new BitSet();

    /** A type that the parser may not know, in UTF-16 units of the body. */
    record Span(int start, int end) {}

    private Declarations(Tokens tokens) {
        this.tokens = tokens;
        this.first = afterOptions();
    }

    public static Declarations of(Tokens tokens) {
        var found = new Declarations(tokens);
        int at = found.first;
        while (at < tokens.size()) {
            at = found.beginsSection(at) ? found.section(at + 1) : at + 1;
        }
        return found;
    }

    /** The token at which the block begins, behind options such as {@code #variable_conflict use_column}. */
    int first() {
        return first;
    }

    /** The names as tokens; several where blocks inside of blocks declare the same. */
    List<Token> variables() {
        return variables;
    }

    /** All types with a name of their own, known or not. */
    List<DeclaredType> types() {
        return types;
    }

    /** Whether a type begins at a token, one with a name of its own. */
    public boolean isType(int token) {
        return typeTokens.get(token);
    }

    /** In their order, none over another. */
    List<Span> unknown() {
        return unknown;
    }

    private int afterOptions() {
        int at = 0;
        while (tokens.isSymbol(at, '#')) {
            at += 3;
        }
        return at;
    }

    private boolean beginsSection(int at) {
        if (!tokens.isWord(at, "declare")) {
            return false;
        }
        Token before = at == first ? null : tokens.get(at - 1);
        return before == null || before.kind() != Token.Kind.QUOTED && BEFORE_A_BLOCK.contains(before.value());
    }

    /** Behind the BEGIN of the block, or where no declaration stands. */
    private int section(int start) {
        int at = start;
        while (isName(at) && !tokens.isWord(at, "begin")) {
            at = tokens.isWord(at, "declare") ? at + 1 : declaration(at);
        }
        return at;
    }

    private int declaration(int variable) {
        variables.add(tokens.get(variable));
        int at = tokens.isWord(variable + 1, "constant") ? variable + 2 : variable + 1;
        int cursor = cursor(at);
        if (cursor >= 0) {
            return afterSemicolon(arguments(cursor + 1));
        }
        if (!tokens.isWord(at, "alias") || !tokens.isWord(at + 1, "for")) {
            type(at);
        }
        return afterSemicolon(at);
    }

    /** The word CURSOR with what may stand before it; negative when the variable is of a type. */
    private int cursor(int at) {
        int word = tokens.isWord(at, "no") ? at + 1 : at;
        word = tokens.isWord(word, "scroll") ? word + 1 : word;
        return tokens.isWord(word, "cursor") ? word : -1;
    }

    /** {@code (name type, …)} of a cursor. */
    private int arguments(int start) {
        if (!tokens.isSymbol(start, '(')) {
            return start;
        }
        int at = start;
        do {
            type(at + 2);
            at = atOneOf(at + 1, ",)");
        } while (tokens.isSymbol(at, ','));
        return at + 1;
    }

    private void type(int start) {
        if (!isName(start)) {
            return;
        }
        List<String> parts = new ArrayList<>(List.of(tokens.get(start).value()));
        int end = start + 1;
        while (tokens.isSymbol(end, '.') && isName(end + 1)) {
            parts.add(tokens.get(end + 1).value());
            end += 2;
        }
        boolean ofColumn = tokens.isSymbol(end, '%') && tokens.isWord(end + 1, "type");
        boolean ofRow = tokens.isSymbol(end, '%') && tokens.isWord(end + 1, "rowtype");
        boolean plain = !ofColumn && !ofRow;
        if (plain && parts.size() == 1 && isGrammarType(tokens.get(start))) {
            return;
        }
        types.add(new DeclaredType(parts, ofColumn));
        typeTokens.set(start);
        if (plain && parts.getLast().equals(CURSOR_TYPE)) {
            return;
        }
        int behind = plain ? modifier(end) : end + 2;
        unknown.add(new Span(tokens.get(start).start(), tokens.get(behind - 1).end()));
    }

    private static boolean isGrammarType(Token token) {
        return token.kind() == Token.Kind.WORD && GRAMMAR_TYPES.contains(token.value());
    }

    /** Behind {@code (Point, 4326)}; nothing but words and constants is passed over. */
    private int modifier(int start) {
        if (!tokens.isSymbol(start, '(')) {
            return start;
        }
        int at = start + 1;
        while (at < tokens.size() && (tokens.get(at).kind() != Token.Kind.SYMBOL || tokens.isSymbol(at, ','))) {
            at++;
        }
        return tokens.isSymbol(at, ')') ? at + 1 : start;
    }

    private int afterSemicolon(int start) {
        return atOneOf(start, ";") + 1;
    }

    /** The first of these symbols outside of brackets; the end where there is none. */
    private int atOneOf(int start, String symbols) {
        int depth = 0;
        int at = start;
        for (; at < tokens.size(); at++) {
            Token token = tokens.get(at);
            char symbol = token.kind() == Token.Kind.SYMBOL ? token.value().charAt(0) : 0;
            if (depth == 0 && symbol != 0 && symbols.indexOf(symbol) >= 0) {
                return at;
            }
            depth += symbol == '(' || symbol == '[' ? 1 : symbol == ')' || symbol == ']' ? -1 : 0;
        }
        return at;
    }

    private boolean isName(int at) {
        return at < tokens.size() && tokens.get(at).isName();
    }
}
