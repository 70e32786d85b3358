package svc.api.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads SQL with PostgreSQL's own grammar, in another process. Fail-closed: what is not plainly read is
 * {@link ParseResult.Unparseable} or {@link ParseResult.Refused}, never an empty script.
 */
@Singleton
public class SqlReader {
    private final ParserPool pool;

    @Inject
    public SqlReader(ParserPool pool) {
        this.pool = pool;
    }

    /** The statements of one script. */
    public ParseResult parse(String sql) {
        return parseAll(List.of(sql)).getFirst();
    }

    /** The statements of several texts, read together; the results are in the same order. */
    public List<ParseResult> parseAll(List<String> texts) {
        return switch (pool.ask(ParserOperation.PARSE, texts)) {
            case ParserPool.Answer.Refused refused ->
                texts.stream()
                        .<ParseResult>map(text -> new ParseResult.Refused(refused.reason()))
                        .toList();
            case ParserPool.Answer.Elements elements -> {
                List<ParseResult> results = new ArrayList<>();
                for (int i = 0; i < texts.size(); i++) {
                    results.add(result(elements.array().get(i), texts.get(i)));
                }
                yield results;
            }
        };
    }

    /**
     * What PostgreSQL's grammar and its lexer say of one script, for whoever checks them against each other.
     *
     * @param parse as {@link #parse} gives it
     * @param tokens none unless it was parsed
     */
    public record ScannedScript(ParseResult parse, TokenBounds tokens) {
        private static ScannedScript unread(ParseResult result) {
            return new ScannedScript(result, TokenBounds.NONE);
        }
    }

    /** The statements of one script and its tokens, in one message. */
    public ScannedScript parseAndScan(String sql) {
        return switch (pool.ask(ParserOperation.PARSE_AND_SCAN, List.of(sql))) {
            case ParserPool.Answer.Refused refused -> ScannedScript.unread(new ParseResult.Refused(refused.reason()));
            case ParserPool.Answer.Elements elements -> scanned(elements.array().get(0), sql);
        };
    }

    /** The tokens of several texts by PostgreSQL's lexer alone, in the same order; empty for a text that it refuses. */
    public List<Optional<TokenBounds>> scanAll(List<String> texts) {
        if (!(pool.ask(ParserOperation.SCAN, texts) instanceof ParserPool.Answer.Elements elements)) {
            return texts.stream().map(text -> Optional.<TokenBounds>empty()).toList();
        }
        List<Optional<TokenBounds>> found = new ArrayList<>();
        elements.array().forEach(element -> found.add(tokens(element)));
        return found;
    }

    private static Optional<TokenBounds> tokens(JsonNode element) {
        try {
            return Optional.ofNullable(element.path("tokens").textValue()).map(TokenBounds::unpacked);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static ScannedScript scanned(JsonNode element, String sql) {
        ParseResult parse = result(element, sql);
        return parse instanceof ParseResult.Parsed
                ? tokens(element)
                        .map(bounds -> new ScannedScript(parse, bounds))
                        .orElseGet(() -> ScannedScript.unread(new ParseResult.Refused(RefusedReason.PARSER_FELL)))
                : ScannedScript.unread(parse);
    }

    /**
     * The bodies of PL/pgSQL functions, procedures and DO blocks.
     *
     * @param statements each the text of one CREATE FUNCTION, CREATE PROCEDURE or DO statement
     * @return in the same order; empty when the parser refused or fell
     */
    public Optional<List<BodyResult>> parsePlpgsql(List<String> statements) {
        if (!(pool.ask(ParserOperation.PLPGSQL, statements) instanceof ParserPool.Answer.Elements elements)) {
            return Optional.empty();
        }
        List<BodyResult> bodies = new ArrayList<>();
        for (JsonNode element : elements.array()) {
            JsonNode functions = element.path("result").path("plpgsql_funcs");
            bodies.add(
                    functions.isArray() && functions.size() == 1
                            ? new BodyResult.Read(functions.get(0))
                            : new BodyResult.Unreadable(
                                    element.path("fault").path("message").asText("it cannot be read")));
        }
        return Optional.of(bodies);
    }

    /**
     * What scripts have in common that differ in constants, blanks and comments only: 16 hexadecimal digits, made of the
     * trees without their constants.
     *
     * @return empty when the script cannot be read, or nobody could read it now
     */
    public Optional<String> fingerprint(String sql) {
        return pool.ask(ParserOperation.FINGERPRINT, List.of(sql)) instanceof ParserPool.Answer.Elements elements
                ? Optional.ofNullable(elements.array().path(0).path("result").textValue())
                : Optional.empty();
    }

    private static ParseResult result(JsonNode element, String text) {
        if (element.has("fault")) {
            JsonNode fault = element.get("fault");
            return new ParseResult.Unparseable(
                    fault.path("message").asText(), fault.path("position").asInt());
        }
        JsonNode statements = element.path("result").path("stmts");
        if (!statements.isArray()) {
            return new ParseResult.Refused(RefusedReason.TOO_DEEP);
        }
        var source = new SourceText(text);
        List<Statement> read = new ArrayList<>();
        for (JsonNode raw : statements) {
            read.add(statement(read.size() + 1, raw, text, source));
        }
        return new ParseResult.Parsed(read);
    }

    private static Statement statement(int number, JsonNode raw, String text, SourceText source) {
        int begin = raw.path("stmt_location").asInt();
        int bytes = raw.path("stmt_len").asInt();
        // The grammar leaves the length out for the last statement when no semicolon ends it.
        int end = bytes == 0 ? text.length() : source.unitOfByte(begin + bytes);
        int start = source.skipBlanksAndComments(source.unitOfByte(begin), end);
        Map.Entry<String, JsonNode> node =
                raw.path("stmt").properties().iterator().next();
        return new Statement(number, node.getKey(), node.getValue(), start, end - start, text.substring(start, end));
    }
}
