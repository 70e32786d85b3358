package svc.graphql.query;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import svc.database.sql.Literal;
import svc.database.sql.QueryWriter;

/** Writes JSON objects. A function takes 100 arguments, so that a larger object is put together from several. */
final class JsonObjectSql {
    private static final int MAX_KEYS = 50;

    private final QueryWriter out;

    JsonObjectSql(QueryWriter out) {
        this.out = out;
    }

    /**
     * An object with a key for each element.
     *
     * @param value writes the value of an element
     */
    <T> void write(List<T> elements, Function<T, String> key, Consumer<T> value) {
        if (elements.size() <= MAX_KEYS) {
            object(elements, key, value);
            return;
        }
        out.sql("('{'||");
        for (int from = 0; from < elements.size(); from += MAX_KEYS) {
            out.sql(from == 0 ? "" : "||','||").sql("pg_catalog.left(pg_catalog.right(");
            object(elements.subList(from, Math.min(from + MAX_KEYS, elements.size())), key, value);
            out.sql("::pg_catalog.text,-1),-1)");
        }
        out.sql("||'}')::pg_catalog.json");
    }

    private <T> void object(List<T> elements, Function<T, String> key, Consumer<T> value) {
        out.sql("pg_catalog.json_build_object(");
        out.each(elements, ",", element -> {
            out.value(Literal.of(key.apply(element))).sql(",");
            value.accept(element);
        });
        out.sql(")");
    }
}
