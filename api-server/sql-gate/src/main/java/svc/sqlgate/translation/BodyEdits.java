package svc.sqlgate.translation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.parser.Statement;
import svc.sqlgate.script.Replacement;

/**
 * The same inside of a PL/pgSQL body: a statement there is replaced where it stands, so that lines of the body keep their
 * numbers but for those of the statement itself.
 *
 * <p>PL/pgSQL's parser gives a statement's text, not its place. It is found again by its tokens: at the beginning of a
 * statement, with a semicolon behind it; comments and strings are passed over.
 */
public final class BodyEdits {
    private static final Set<String> BEFORE_A_STATEMENT = Set.of(";", "begin", "then", "else", "loop", ">");

    private BodyEdits() {}

    /**
     * @param outer CREATE FUNCTION, CREATE PROCEDURE or DO
     * @param inner the statements that its body holds directly
     * @return replacements in the script; empty when one of them cannot be found in the body
     */
    public static Optional<List<Replacement>> of(Statement outer, List<Statement> inner, Translator translator) {
        Map<String, String> replacements = new LinkedHashMap<>();
        for (Statement statement : inner) {
            switch (translator.ofBody(statement)) {
                case Rewrite.Nothing nothing -> replacements.put(statement.text(), "NULL");
                case Rewrite.Instead instead ->
                    replacements.put(statement.text(), instead.sql().sql().strip());
                case Rewrite.AsIs same -> {}
                case Rewrite.Refused refused -> {}
            }
        }
        if (replacements.isEmpty()) {
            return Optional.of(List.of());
        }
        return body(outer).flatMap(body -> placed(outer, body, replacements));
    }

    /**
     * Where a body's own text stands in its statement.
     *
     * @param quoted whether it stands in single quotes, where a quote is written twice
     */
    private record Body(int start, int end, boolean quoted) {}

    private static Optional<List<Replacement>> placed(Statement outer, Body body, Map<String, String> replacements) {
        String text = outer.text().substring(body.start(), body.end());
        Tokens tokens = Tokens.of(text);
        List<Replacement> edits = new ArrayList<>();
        Set<String> found = new java.util.HashSet<>();
        int free = 0;
        for (int i = 0; i < tokens.size(); i++) {
            int start = tokens.get(i).start();
            if (start < free || i > 0 && !isBeforeStatement(tokens.get(i - 1))) {
                continue;
            }
            for (Map.Entry<String, String> replacement : replacements.entrySet()) {
                int end = start + replacement.getKey().length();
                if (text.startsWith(replacement.getKey(), start) && endsThere(tokens, end)) {
                    String sent = body.quoted() ? replacement.getValue().replace("'", "''") : replacement.getValue();
                    int at = outer.location() + body.start();
                    edits.add(new Replacement(at + start, at + end, sent));
                    found.add(replacement.getKey());
                    free = end;
                    break;
                }
            }
        }
        return found.size() == replacements.size() ? Optional.of(edits) : Optional.empty();
    }

    private static boolean endsThere(Tokens tokens, int end) {
        return tokens.isSymbol(tokens.firstFrom(end), ';');
    }

    private static boolean isBeforeStatement(Token token) {
        return token.kind() != Token.Kind.QUOTED && BEFORE_A_STATEMENT.contains(token.value());
    }

    /** The last string of the statement that holds a block; of DO it is the only one. */
    private static Optional<Body> body(Statement outer) {
        boolean function = outer.kind().equals("CreateFunctionStmt");
        Tokens tokens = Tokens.of(outer.text());
        for (int i = 0; i < tokens.size(); i++) {
            if (!tokens.isString(i) || function && !tokens.isWord(i - 1, "as")) {
                continue;
            }
            Token token = tokens.get(i);
            String raw = tokens.raw(i);
            if (raw.charAt(0) == '$') {
                int delimiter = raw.indexOf('$', 1) + 1;
                return Optional.of(new Body(token.start() + delimiter, token.end() - delimiter, false));
            }
            if (raw.charAt(0) == '\'') {
                // A body with doubled quotes in it differs from its text: it is not taken apart.
                return raw.substring(1, raw.length() - 1).contains("'")
                        ? Optional.empty()
                        : Optional.of(new Body(token.start() + 1, token.end() - 1, true));
            }
        }
        return Optional.empty();
    }
}
