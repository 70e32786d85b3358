package svc.rest.query;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlValue;

/**
 * Builds the text of a statement from compile-time constants, identifiers and binds, so that text of a request cannot
 * become SQL.
 */
final class QueryWriter {
    private final List<SqlValue> parts = new ArrayList<>();
    private final List<String> binds = new ArrayList<>();

    QueryWriter sql(@CompileTimeConstant final String text) {
        parts.add(SqlFragment.of(text));
        return this;
    }

    QueryWriter value(SqlValue value) {
        parts.add(value);
        return this;
    }

    /** A column of the select list by its one-based position. */
    QueryWriter position(int number) {
        return value(Literal.of(number));
    }

    QueryWriter bind(String value) {
        parts.add(SqlFragment.of("?"));
        binds.add(value);
        return this;
    }

    /** Writes the elements, separated by {@code separator}. */
    <T> QueryWriter each(List<T> elements, @CompileTimeConstant final String separator, Consumer<T> writing) {
        for (int i = 0; i < elements.size(); i++) {
            if (i > 0) {
                sql(separator);
            }
            writing.accept(elements.get(i));
        }
        return this;
    }

    MainQuery done() {
        return new MainQuery(SqlFragment.join("", parts), binds);
    }
}
