package svc.sqlgate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.parser.Statement;
import svc.sqlgate.read.InnerText;

/** The text inside of CREATE FUNCTION, CREATE PROCEDURE and DO, and the SQL inside of that. */
final class FunctionBody {
    /** The languages whose bodies are read; others are refused. */
    static final Set<String> LANGUAGES = Set.of("sql", "plpgsql");

    /**
     * The parser knows no tables, so it takes a variable of a table's row type for a scalar. Without the word it takes
     * it for a record, which is what it is. Blanks of the same length leave every other token as it was, and line ends
     * stay: without the one after a comment, the comment would go on over the next line.
     */
    private static final Pattern ROW_TYPE = Pattern.compile("%\\s*rowtype\\b", Pattern.CASE_INSENSITIVE);

    private FunctionBody() {}

    /** SQL as PL/pgSQL holds it, in a form that can be parsed as a statement. */
    record Embedded(InnerText.Origin origin, String sql) {}

    /** A node of a block, and whether the expression at it is run as SQL. */
    private record Visit(JsonNode node, boolean executed) {}

    /** The language a body is written in; empty where none is named and the statement has none by itself. */
    static Optional<String> language(JsonNode options) {
        return option(options, "language")
                .map(arg -> arg.path("String").path("sval").asText());
    }

    /** A body in the language sql that is given as a string; bodies in standard SQL are part of the tree already. */
    static Optional<String> ofSql(Statement statement) {
        if (!"CreateFunctionStmt".equals(statement.kind())) {
            return Optional.empty();
        }
        JsonNode options = statement.tree().path("options");
        if (!language(options).filter("sql"::equals).isPresent()) {
            return Optional.empty();
        }
        return option(options, "as")
                .map(arg -> arg.path("List")
                        .path("items")
                        .path(0)
                        .path("String")
                        .path("sval")
                        .asText());
    }

    /** The statement as its PL/pgSQL body is to be parsed; empty when it has none. */
    static Optional<String> ofPlpgsql(Statement statement) {
        return ofPlpgsql(statement, statement.text());
    }

    /** The same for a statement of the same kind and language with another text. */
    static Optional<String> ofPlpgsql(Statement statement, String text) {
        Optional<String> language = switch (statement.kind()) {
            case "DoStmt" -> language(statement.tree().path("args")).or(() -> Optional.of("plpgsql"));
            case "CreateFunctionStmt" -> language(statement.tree().path("options"));
            default -> Optional.empty();
        };
        return language.filter("plpgsql"::equals).map(name -> withoutRowTypes(text));
    }

    /**
     * What {@link #ofPlpgsql(Statement)} will probably give for the statements of a script, found by its tokens before
     * the script is parsed. A guess, which saves a message to the parser; nothing else may rest on it.
     */
    static List<String> expected(String script, Tokens tokens) {
        List<String> found = new ArrayList<>();
        int first = 0;
        boolean named = false;
        for (int i = 0; i <= tokens.size(); i++) {
            if (i < tokens.size() && !tokens.isSymbol(i, ';')) {
                named |= tokens.isWord(i, "plpgsql")
                        || tokens.isString(i) && tokens.raw(i).equals("'plpgsql'");
                continue;
            }
            if (i > first && (tokens.isWord(first, "do") || named && createsFunction(tokens, first))) {
                int end = i < tokens.size() ? tokens.get(i).start() : script.length();
                found.add(withoutRowTypes(script.substring(tokens.get(first).start(), end)));
            }
            first = i + 1;
            named = false;
        }
        return found.stream().distinct().toList();
    }

    private static boolean createsFunction(Tokens tokens, int create) {
        int what = tokens.isWord(create + 1, "or") ? create + 3 : create + 1;
        return tokens.isWord(create, "create") && (tokens.isWord(what, "function") || tokens.isWord(what, "procedure"));
    }

    private static String withoutRowTypes(String text) {
        return ROW_TYPE.matcher(text).replaceAll(word -> word.group().replaceAll("[^\\r\\n]", " "));
    }

    /** Every statement and expression of a PL/pgSQL block, as text that can be parsed as a statement. */
    static List<Embedded> embedded(JsonNode block) {
        List<Embedded> found = new ArrayList<>();
        Deque<Visit> open = new ArrayDeque<>();
        open.push(new Visit(block, false));
        while (!open.isEmpty()) {
            Visit visit = open.pop();
            JsonNode node = visit.node();
            if (node.has("PLpgSQL_expr")) {
                found.add(embedded(node.get("PLpgSQL_expr"), visit.executed()));
            }
            boolean dynamic = node.has("PLpgSQL_stmt_dynexecute") || node.has("PLpgSQL_stmt_dynfors");
            node.properties()
                    .forEach(field -> open.push(new Visit(
                            field.getValue(),
                            "dynquery".equals(field.getKey())
                                    || visit.executed() && "query".equals(field.getKey())
                                    || dynamic)));
            if (node.isArray()) {
                node.forEach(element -> open.push(new Visit(element, false)));
            }
        }
        return found;
    }

    private static Embedded embedded(JsonNode expression, boolean executed) {
        InnerText.Origin origin = executed
                ? InnerText.Origin.EXECUTED_EXPRESSION
                : expression.path("parseMode").asInt() == 0 ? InnerText.Origin.STATEMENT : InnerText.Origin.EXPRESSION;
        return new Embedded(origin, asStatement(expression));
    }

    /** Whether a block ends the transaction by itself. */
    static boolean controlsTransaction(JsonNode block) {
        return block.findValue("PLpgSQL_stmt_commit") != null || block.findValue("PLpgSQL_stmt_rollback") != null;
    }

    /** The text of EXECUTE '…' when it is one constant. */
    static Optional<String> constantOf(Statement select) {
        JsonNode targets = select.tree().path("targetList");
        JsonNode text = targets.path(0)
                .path("ResTarget")
                .path("val")
                .path("A_Const")
                .path("sval")
                .path("sval");
        return targets.size() == 1 && text.isTextual() ? Optional.of(text.asText()) : Optional.empty();
    }

    private static String asStatement(JsonNode expression) {
        String query = expression.path("query").asText();
        return switch (expression.path("parseMode").asInt()) {
            case 0 -> query;
            case 2 -> "SELECT " + query;
            // An assignment, read as a comparison: target and value keep every node they have.
            case 3, 4, 5 -> "SELECT " + query.substring(0, assignment(query)) + " =" + query.substring(after(query));
            default -> throw new IllegalArgumentException("an expression of an unknown kind");
        };
    }

    private static int after(String query) {
        int sign = assignment(query);
        return sign + (query.startsWith(":=", sign) ? 2 : 1);
    }

    /** Where the assignment's sign stands: outside of brackets and quotes, so not in a subscript. */
    private static int assignment(String query) {
        int depth = 0;
        char quote = 0;
        for (int i = 0; i < query.length(); i++) {
            char c = query.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '[' || c == '(') {
                depth++;
            } else if (c == ']' || c == ')') {
                depth--;
            } else if (depth == 0 && (c == '=' || query.startsWith(":=", i))) {
                return i;
            }
        }
        throw new IllegalArgumentException("an assignment without a sign");
    }

    private static Optional<JsonNode> option(JsonNode options, String name) {
        for (JsonNode option : options) {
            JsonNode element = option.path("DefElem");
            if (name.equals(element.path("defname").asText())) {
                return Optional.of(element.path("arg"));
            }
        }
        return Optional.empty();
    }
}
