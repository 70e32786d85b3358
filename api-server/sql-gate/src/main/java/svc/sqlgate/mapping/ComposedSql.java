package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.read.InnerText;
import svc.sqlgate.read.InnerText.Origin;
import svc.sqlgate.read.ReadStatement;
import svc.sqlgate.script.Replacement;

/**
 * SQL that PL/pgSQL composes while it runs. The expression behind EXECUTE becomes the argument of a function of the platform,
 * which replaces names in the text of the moment. A constant that is executed as it stands needs none: it was read, and the
 * names in it are replaced like all others.
 */
public final class ComposedSql {
    private static final String SCHEMA = "svc_functions";
    private static final String FUNCTION = "own_names";
    private static final String BEFORE = SCHEMA + "." + FUNCTION + "((";
    private static final String BEHIND = ")::pg_catalog.text)";

    /** Statements that the function replaces as a whole, which cannot be done inside of a constant. */
    private static final Set<String> REPLACED =
            Set.of("AlterPublicationStmt", "CreateSchemaStmt", "CreateExtensionStmt");

    private ComposedSql() {}

    /** Whether these are the parts of the name of that function, which scripts may call. */
    public static boolean isFunction(JsonNode name) {
        return name.size() == 2
                && name.at("/0/String/sval").asText().equals(SCHEMA)
                && name.at("/1/String/sval").asText().equals(FUNCTION);
    }

    /** A text of the server's, which shows what was sent, without the call. */
    public static String asWritten(String text) {
        var written = new StringBuilder(text.length());
        int copied = 0;
        int call = text.indexOf(BEFORE);
        while (call >= 0) {
            int start = call + BEFORE.length();
            int end = endOfArgument(text, start);
            if (end < 0) {
                break;
            }
            written.append(text, copied, call).append(text, start, end);
            copied = end + BEHIND.length();
            call = text.indexOf(BEFORE, copied);
        }
        return written.append(text, copied, text.length()).toString();
    }

    /** Where the argument ends that begins there: at the first bracket that it has not opened. Negative where none follows. */
    private static int endOfArgument(String text, int start) {
        int depth = 0;
        char quote = 0;
        for (int at = start; at < text.length(); at++) {
            char c = text.charAt(at);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '(') {
                depth++;
            } else if (c == ')' && depth-- == 0) {
                return text.startsWith(BEHIND, at) ? at : -1;
            }
        }
        return -1;
    }

    /**
     * @param text of a block
     * @param edits the replacements of names in it
     * @return the same, with the call around an expression that is executed
     */
    static List<Replacement> around(InnerText text, List<Replacement> edits) {
        if (text.origin() != Origin.EXECUTED_EXPRESSION) {
            return edits;
        }
        List<InnerText> constants = text.statements().stream()
                .flatMap(read -> read.inner().stream())
                .toList();
        Tokens tokens = Tokens.of(text.sql());
        boolean called = tokens.isWord(1, SCHEMA) && tokens.isSymbol(2, '.') && tokens.isWord(3, FUNCTION);
        if (tokens.size() < 2
                || called
                || !constants.isEmpty() && constants.stream().noneMatch(ComposedSql::isReplaced)) {
            return edits;
        }
        // What the function replaces as a whole it expects with the names that applications write.
        return called(tokens, constants.isEmpty() ? edits : List.of());
    }

    private static boolean isReplaced(InnerText constant) {
        return constant.origin() == Origin.EXECUTED_CONSTANT
                && constant.statements().size() == 1
                && isReplaced(constant.statements().getFirst());
    }

    private static boolean isReplaced(ReadStatement read) {
        JsonNode tree = read.statement().tree();
        return switch (read.statement().kind()) {
            case "DropStmt" ->
                Set.of("OBJECT_SCHEMA", "OBJECT_EXTENSION")
                        .contains(tree.path("removeType").asText());
            case "GrantStmt" -> tree.path("objtype").asText().equals("OBJECT_SCHEMA");
            case String kind -> REPLACED.contains(kind);
        };
    }

    private static List<Replacement> called(Tokens tokens, List<Replacement> edits) {
        int start = tokens.get(1).start();
        int end = tokens.get(tokens.size() - 1).end();
        List<Replacement> all = new ArrayList<>();
        boolean opened = false;
        for (Replacement edit : edits) {
            // A name at the beginning is replaced together with what is put before it: one replacement begins at one
            // place.
            boolean first = edit.start() == start;
            all.add(first ? new Replacement(start, edit.end(), BEFORE + edit.text()) : edit);
            opened |= first;
        }
        if (!opened) {
            all.add(new Replacement(start, start, BEFORE));
        }
        all.add(new Replacement(end, end, BEHIND));
        return all;
    }
}
