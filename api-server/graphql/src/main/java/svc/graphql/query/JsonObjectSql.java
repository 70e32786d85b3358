package svc.graphql.query;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import svc.database.sql.Literal;
import svc.database.sql.QueryWriter;

/**
 * Writes JSON objects as text: in rows of few columns PostgreSQL's functions for JSON take longer than all else, because they
 * look up the type of each value. A function takes 100 arguments, so that a larger object is put together from several.
 */
final class JsonObjectSql {
    private static final int MAX_KEYS = 45;

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
        out.sql("pg_catalog.concat('{',");
        for (int from = 0; from < elements.size(); from += MAX_KEYS) {
            out.sql(from == 0 ? "" : ",',',").sql("pg_catalog.concat(");
            members(elements.subList(from, Math.min(from + MAX_KEYS, elements.size())), key, value);
            out.sql(")");
        }
        out.sql(",'}')");
    }

    /** Keys are names of GraphQL, which JSON does not escape. */
    private <T> void members(List<T> elements, Function<T, String> key, Consumer<T> value) {
        for (int i = 0; i < elements.size(); i++) {
            String name = "\"" + key.apply(elements.get(i)) + "\":";
            out.sql(i > 0 ? "," : "")
                    .value(Literal.of(i > 0 ? "," + name : name))
                    .sql(",COALESCE(");
            value.accept(elements.get(i));
            out.sql(",'null')");
        }
    }

    /** A name of GraphQL as a JSON string. */
    void name(String name) {
        out.value(Literal.of("\"" + name + "\""));
    }
}
