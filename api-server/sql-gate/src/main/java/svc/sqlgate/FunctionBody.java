package svc.sqlgate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.sqlgate.block.ReadableBlock;
import svc.sqlgate.lexical.QuotedText;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.parser.SourceText;
import svc.sqlgate.parser.Statement;
import svc.sqlgate.read.InnerText;
import svc.sqlgate.script.EditedScript;

/** The text inside of CREATE FUNCTION, CREATE PROCEDURE and DO, and the SQL inside of that. */
final class FunctionBody {
    /** The languages whose bodies are read; others are refused. */
    static final Set<String> LANGUAGES = Set.of("sql", "plpgsql");

    private FunctionBody() {}

    /** SQL as PL/pgSQL holds it, in a form that can be parsed as a statement. */
    record Embedded(InnerText.Origin origin, String sql) {}

    /** A node of a block, and whether the expression at it is run as SQL. */
    private record Visit(JsonNode node, boolean executed) {}

    /** The language a body is written in; empty where none is named and the statement has none by itself. */
    static Optional<String> language(JsonNode options) {
        return option(options, "language")
                .map(found -> found.arg().path("String").path("sval").asText());
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
                .map(found -> found.arg()
                        .path("List")
                        .path("items")
                        .path(0)
                        .path("String")
                        .path("sval")
                        .asText());
    }

    /** Its body in PL/pgSQL, to be parsed; empty when it has none. */
    static Optional<ReadableBlock> ofPlpgsql(Statement statement) {
        return isPlpgsql(statement)
                ? Optional.of(ReadableBlock.of(statement, body(options(statement))))
                : Optional.empty();
    }

    static boolean isPlpgsql(Statement statement) {
        Optional<String> language = switch (statement.kind()) {
            case "DoStmt" -> language(options(statement)).or(() -> Optional.of("plpgsql"));
            case "CreateFunctionStmt" -> language(options(statement));
            default -> Optional.empty();
        };
        return language.filter("plpgsql"::equals).isPresent();
    }

    /**
     * What {@link #ofPlpgsql(Statement)} will give for a statement of the script once names in it are replaced.
     *
     * @param tokens of the script that the statement was read in
     * @param source the text of the script
     */
    static Optional<ReadableBlock> ofMapped(
            Statement statement, Tokens tokens, SourceText source, EditedScript mapped) {
        int location = option(options(statement), "as")
                .map(DefinitionElement::location)
                .orElse(-1);
        int index = location < 0 ? -1 : tokens.startingAt(source.unitOfByte(location));
        int body = tokens.isWord(index, "as") ? index + 1 : index;
        if (!isPlpgsql(statement) || !tokens.isString(body)) {
            return Optional.empty();
        }
        Token token = tokens.get(body);
        String sent = mapped.sentFor(token.start(), token.end());
        return Optional.of(ReadableBlock.of(statement, QuotedText.of(sent).value()));
    }

    private static JsonNode options(Statement statement) {
        return statement.tree().path("DoStmt".equals(statement.kind()) ? "args" : "options");
    }

    /** The text between the quotes; empty, which no parser reads, where the statement does not have exactly one. */
    private static String body(JsonNode options) {
        JsonNode arg = option(options, "as").map(DefinitionElement::arg).orElse(MissingNode.getInstance());
        JsonNode items = arg.path("List").path("items");
        JsonNode text = items.size() == 1 ? items.get(0) : arg;
        return text.path("String").path("sval").asText();
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
        String query = expression.path("query").asText();
        return switch (expression.path("parseMode").asInt()) {
            case 0 -> new Embedded(executed ? InnerText.Origin.EXECUTED_EXPRESSION : InnerText.Origin.STATEMENT, query);
            case 2 ->
                new Embedded(
                        executed ? InnerText.Origin.EXECUTED_EXPRESSION : InnerText.Origin.EXPRESSION,
                        "SELECT " + query);
            // Target and value keep every node that they have.
            case 3, 4, 5 ->
                new Embedded(
                        InnerText.Origin.ASSIGNMENT,
                        "SELECT " + query.substring(0, assignment(query)) + " ," + query.substring(after(query)));
            default -> throw new IllegalArgumentException("an expression of an unknown kind");
        };
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

    /** @param location byte of the script at which it begins; -1 when the tree does not say */
    private record DefinitionElement(JsonNode arg, int location) {}

    private static Optional<DefinitionElement> option(JsonNode options, String name) {
        for (JsonNode option : options) {
            JsonNode element = option.path("DefElem");
            if (name.equals(element.path("defname").asText())) {
                return Optional.of(new DefinitionElement(
                        element.path("arg"), element.path("location").asInt(-1)));
            }
        }
        return Optional.empty();
    }
}
