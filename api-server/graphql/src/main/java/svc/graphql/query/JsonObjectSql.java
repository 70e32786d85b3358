package svc.graphql.query;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import svc.database.sql.Literal;
import svc.database.sql.QueryWriter;

/**
 * Writes JSON objects as text: in rows of few columns PostgreSQL's functions for JSON take longer than all else, because they
 * look up the type of each value, and {@code concat} and {@code format} longer than the operator, because they call the output
 * function of each argument.
 */
final class JsonObjectSql {
    private final QueryWriter out;

    JsonObjectSql(QueryWriter out) {
        this.out = out;
    }

    /**
     * An object with a key for each element, an expression of type text.
     *
     * @param value writes the value of an element: JSON as an expression of type text, null for JSON's null
     */
    <T> void write(List<T> elements, Function<T, String> key, Consumer<T> value) {
        if (elements.isEmpty()) {
            out.sql("'{}'");
            return;
        }
        pieces(0, 2 * elements.size() + 1, piece -> {
            int number = piece / 2;
            if (number == elements.size()) {
                out.sql("'}'");
            } else if (piece % 2 == 0) {
                // Keys are names of GraphQL, which JSON does not escape.
                out.value(Literal.of((number == 0 ? "{\"" : ",\"") + key.apply(elements.get(number)) + "\":"));
            } else {
                out.sql("COALESCE(");
                value.accept(elements.get(number));
                out.sql(",'null')");
            }
        });
    }

    /** Halves: one after the other would copy the beginning of the object for each piece that follows. */
    private void pieces(int from, int to, Consumer<Integer> piece) {
        if (to - from == 1) {
            piece.accept(from);
            return;
        }
        int middle = (from + to) >>> 1;
        out.sql("(");
        pieces(from, middle, piece);
        out.sql(" OPERATOR(pg_catalog.||) ");
        pieces(middle, to, piece);
        out.sql(")");
    }

    /**
     * An array of the rows of a group, an expression of type text.
     *
     * @param element writes the value of a row: JSON as an expression of type text
     * @param order writes what follows the aggregate's arguments
     * @param filter writes what follows the aggregate
     */
    void array(Runnable element, Runnable order, Runnable filter) {
        out.sql("('[' OPERATOR(pg_catalog.||) COALESCE(pg_catalog.string_agg(");
        element.run();
        out.sql(",','");
        order.run();
        out.sql(")");
        filter.run();
        out.sql(",'') OPERATOR(pg_catalog.||) ']')");
    }

    /** A name of GraphQL as a JSON string. */
    void name(String name) {
        out.value(Literal.of("\"" + name + "\""));
    }
}
