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
