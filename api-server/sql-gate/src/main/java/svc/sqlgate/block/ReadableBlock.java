package svc.sqlgate.block;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.lexical.Tokens;
import svc.sqlgate.parser.Statement;
import svc.sqlgate.read.DeclaredType;

/**
 * A body as the parser is asked for it. PL/pgSQL takes {@code INTO a, b} for scalar variables alone and {@code a.field}
 * for records alone, and only the catalog says which of them a type makes. So each variable is declared as both: as a
 * record in a block around the body, and with a scalar type in place of its own. A name finds the scalar, a name with a
 * field the record; all else of the body stays as it is, and the texts in it depend on neither.
 *
 * <p>A declared type that was replaced is not in the parser's answer: it is judged by {@link #types}. A record's default
 * is not in its answers at all, a scalar's is.
 *
 * @param sql a CREATE FUNCTION with the body, for the parser alone
 * @param types the declared types as they were written
 * @param mark what stands for a type, and nowhere else in the body
 * @param marks how many stand there
 */
public record ReadableBlock(String sql, List<DeclaredType> types, String mark, int marks) {
    /** Below the longest that PostgreSQL allows, so that as many marks are possible as a script has numbers. */
    private static final int FIRST_LENGTH = 1_000_000;

    public ReadableBlock {
        types = List.copyOf(types);
    }

    /**
     * @param statement CREATE FUNCTION, CREATE PROCEDURE or DO
     * @param body of it, or of the same statement with other names in it
     */
    public static ReadableBlock of(Statement statement, String body) {
        RoutineHead head = RoutineHead.of(statement);
        Tokens tokens = Tokens.of(body);
        Declarations declared = Declarations.of(tokens);
        String mark = unusedType(tokens);
        int start =
                declared.first() < tokens.size() ? tokens.get(declared.first()).start() : 0;
        boolean ended = tokens.isSymbol(tokens.size() - 1, ';');
        String readable = body.substring(0, start)
                + around(head, declared)
                + replaced(body, start, declared.unknown(), mark)
                // The line ends a comment.
                + (ended ? "\nEND; END" : "\n; END; END");
        return new ReadableBlock(
                head.sql() + Literal.of(readable).sql(),
                declared.types(),
                mark,
                declared.unknown().size());
    }

    /**
     * Whether the grammar has read each mark as the type of a variable of its own. Then the body differs from what was read
     * in these types alone, and nothing else of it was replaced.
     *
     * @param tree the parser's answer
     */
    public boolean agrees(JsonNode tree) {
        long read = 0;
        for (JsonNode datum : tree.path("PLpgSQL_function").path("datums")) {
            if (datum.at("/PLpgSQL_var/datatype/PLpgSQL_type/typname").asText().contains(mark)) {
                read++;
            }
        }
        return read == marks;
    }

    /** A scalar type of a length that no number of the body is. */
    private static String unusedType(Tokens tokens) {
        Set<String> numbers = IntStream.range(0, tokens.size())
                .mapToObj(tokens::get)
                .filter(token -> token.kind() == Token.Kind.NUMBER)
                .map(Token::value)
                .collect(Collectors.toSet());
        int length = FIRST_LENGTH;
        while (numbers.contains(Integer.toString(length))) {
            length++;
        }
        return "varchar(" + length + ")";
    }

    private static String around(RoutineHead head, Declarations declared) {
        Stream<Identifier> variables = declared.variables().stream()
                .map(Token::value)
                // Another name is a fault that the grammar tells.
                .filter(Identifier::fits)
                .map(Identifier::of);
        String records = Stream.concat(
                        variables,
                        head.named().stream().map(parameter -> parameter.name().orElseThrow()))
                .distinct()
                .map(name -> name.sql() + " record; ")
                .collect(Collectors.joining());
        String scalars = head.named().stream()
                .map(parameter -> parameter.name().orElseThrow().sql() + " "
                        + (parameter.type().equals("refcursor") ? "refcursor" : "text") + "; ")
                .collect(Collectors.joining());
        return "DECLARE " + records + "BEGIN DECLARE " + scalars + "BEGIN ";
    }

    private static String replaced(String body, int start, List<Declarations.Span> spans, String mark) {
        var built = new StringBuilder();
        int copied = start;
        for (Declarations.Span span : spans) {
            built.append(body, copied, span.start()).append(mark);
            copied = span.end();
        }
        return built.append(body, copied, body.length()).toString();
    }
}
