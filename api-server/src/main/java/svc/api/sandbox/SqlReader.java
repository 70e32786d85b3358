package svc.api.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

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
        return switch (ask(ParserOperation.PARSE, texts)) {
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
     * The statements of one script and what audits know it by.
     *
     * @param fingerprint as {@link #fingerprint} gives it
     */
    public record NotedScript(ParseResult parse, Optional<String> fingerprint) {}

    /** The statements of one script and its fingerprint, in one message. */
    public NotedScript parseAndFingerprint(String sql) {
        return switch (pool.ask(List.of(ParserOperation.PARSE.of(sql), ParserOperation.FINGERPRINT.of(sql)))) {
            case ParserPool.Answer.Refused refused ->
                new NotedScript(new ParseResult.Refused(refused.reason()), Optional.empty());
            case ParserPool.Answer.Elements elements ->
                new NotedScript(
                        result(elements.array().get(0), sql),
                        string(elements.array().get(1)));
        };
    }

    /**
     * What PostgreSQL's grammar and its lexer say of one script, for whoever checks them against each other.
     *
     * @param parse as {@link #parse} gives it
     * @param tokens none unless it was parsed
     */
    public record ScannedScript(ParseResult parse, TokenBounds tokens) {
        private static ScannedScript refused(RefusedReason reason) {
            return new ScannedScript(new ParseResult.Refused(reason), TokenBounds.NONE);
        }
    }

    /** The statements of one script and its tokens, in one message. */
    public ScannedScript parseAndScan(String sql) {
        return parseAndScan(sql, List.of(), bodies -> {});
    }

    /**
     * The statements of one script, its tokens, and bodies of its functions and blocks, in one message.
     *
     * @param functions as for {@link #parsePlpgsql}
     * @param bodies is given the bodies in the same order, unless the parser refused or fell
     */
    public ScannedScript parseAndScan(String sql, List<String> functions, Consumer<List<BodyResult>> bodies) {
        List<ParserOperation.Question> questions = new ArrayList<>();
        questions.add(ParserOperation.PARSE.of(sql));
        questions.add(ParserOperation.SCAN.of(sql));
        functions.forEach(function -> questions.add(ParserOperation.PLPGSQL.of(function)));
        return switch (pool.ask(questions)) {
            case ParserPool.Answer.Refused refused -> ScannedScript.refused(refused.reason());
            case ParserPool.Answer.Elements elements -> {
                bodies.accept(bodies(elements.array(), 2));
                yield scanned(
                        result(elements.array().get(0), sql), elements.array().get(1));
            }
        };
    }

    /**
     * The tokens of one script whose statements are known.
     *
     * @param parsed what {@link #parse} gave for the same text
     */
    public ScannedScript scan(String sql, ParseResult.Parsed parsed) {
        return switch (ask(ParserOperation.SCAN, List.of(sql))) {
            case ParserPool.Answer.Refused refused -> ScannedScript.refused(refused.reason());
            case ParserPool.Answer.Elements elements ->
                scanned(parsed, elements.array().get(0));
        };
    }

    /** The tokens of several texts by PostgreSQL's lexer alone, in the same order; empty for a text that it refuses. */
    public List<Optional<TokenBounds>> scanAll(List<String> texts) {
        if (!(ask(ParserOperation.SCAN, texts) instanceof ParserPool.Answer.Elements elements)) {
            return texts.stream().map(text -> Optional.<TokenBounds>empty()).toList();
        }
        List<Optional<TokenBounds>> found = new ArrayList<>();
        elements.array().forEach(element -> found.add(tokens(element)));
        return found;
    }

    /**
     * The bodies of PL/pgSQL functions, procedures and DO blocks.
     *
     * @param statements each the text of one CREATE FUNCTION, CREATE PROCEDURE or DO statement
     * @return in the same order; empty when the parser refused or fell
     */
    public Optional<List<BodyResult>> parsePlpgsql(List<String> statements) {
        return ask(ParserOperation.PLPGSQL, statements) instanceof ParserPool.Answer.Elements elements
                ? Optional.of(bodies(elements.array(), 0))
                : Optional.empty();
    }

    /**
     * What scripts have in common that differ in constants, blanks and comments only: 16 hexadecimal digits, made of the
     * trees without their constants.
     *
     * @return empty when the script cannot be read, or nobody could read it now
     */
    public Optional<String> fingerprint(String sql) {
        return ask(ParserOperation.FINGERPRINT, List.of(sql)) instanceof ParserPool.Answer.Elements elements
                ? string(elements.array().get(0))
                : Optional.empty();
    }

    private ParserPool.Answer ask(ParserOperation operation, List<String> texts) {
        return pool.ask(texts.stream().map(operation::of).toList());
    }

    private static Optional<String> string(JsonNode element) {
        return Optional.ofNullable(element.path("result").textValue());
    }

    private static Optional<TokenBounds> tokens(JsonNode element) {
        try {
            return string(element).map(TokenBounds::unpacked);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static ScannedScript scanned(ParseResult parse, JsonNode tokens) {
        if (!(parse instanceof ParseResult.Parsed)) {
            return new ScannedScript(parse, TokenBounds.NONE);
        }
        return tokens(tokens)
                .map(bounds -> new ScannedScript(parse, bounds))
                .orElseGet(() -> new ScannedScript(unread(tokens), TokenBounds.NONE));
    }

    private static List<BodyResult> bodies(JsonNode elements, int first) {
        List<BodyResult> bodies = new ArrayList<>();
        for (int i = first; i < elements.size(); i++) {
            JsonNode element = elements.get(i);
            JsonNode functions = element.path("result").path("plpgsql_funcs");
            bodies.add(
                    functions.isArray() && functions.size() == 1
                            ? new BodyResult.Read(functions.get(0))
                            : new BodyResult.Unreadable(
                                    element.path("fault").path("message").asText("it cannot be read")));
        }
        return bodies;
    }

    private static ParseResult result(JsonNode element, String text) {
        JsonNode statements = element.path("result").path("stmts");
        if (!statements.isArray()) {
            return unread(element);
        }
        var source = new SourceText(text);
        List<Statement> read = new ArrayList<>();
        for (JsonNode raw : statements) {
            read.add(statement(read.size() + 1, raw, text, source));
        }
        return new ParseResult.Parsed(read);
    }

    /** Why there is no result. */
    private static ParseResult unread(JsonNode element) {
        JsonNode fault = element.path("fault");
        return fault.isObject()
                ? new ParseResult.Unparseable(
                        fault.path("message").asText(), fault.path("position").asInt())
                : new ParseResult.Refused(RefusedReason.TOO_DEEP);
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
