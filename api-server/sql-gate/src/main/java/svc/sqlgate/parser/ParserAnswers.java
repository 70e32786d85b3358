package svc.sqlgate.parser;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the elements of the parser's answers ({@code parse/main.ts}). Pure, and fail-closed: what has no result has a
 * fault.
 */
final class ParserAnswers {
    private ParserAnswers() {}

    static Optional<String> string(JsonNode element) {
        return Optional.ofNullable(element.path("result").textValue());
    }

    static Optional<TokenBounds> tokens(JsonNode element) {
        try {
            return string(element).map(TokenBounds::unpacked);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Of the elements from {@code first} on. */
    static List<BodyResult> bodies(JsonNode elements, int first) {
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

    static ParseResult result(JsonNode element, String text) {
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
    static ParseResult unread(JsonNode element) {
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
