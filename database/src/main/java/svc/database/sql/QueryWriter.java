package svc.database.sql;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Builds the text of a statement from compile-time constants, identifiers and binds, so that text of a request cannot
 * become SQL.
 */
public final class QueryWriter {
    private static final SqlFragment PLACEHOLDER = SqlFragment.of("?");

    private final List<SqlValue> parts = new ArrayList<>();
    private final List<String> binds = new ArrayList<>();

    /** SQL text of the program itself. */
    public QueryWriter sql(@CompileTimeConstant final String text) {
        parts.add(SqlFragment.of(text));
        return this;
    }

    /** A name, a literal, or a piece of a statement without placeholders. */
    public QueryWriter value(SqlValue value) {
        parts.add(value);
        return this;
    }

    /** A column of the select list by its one-based position. */
    public QueryWriter position(int number) {
        return value(Literal.of(number));
    }

    /** A placeholder and its value; without a cast PostgreSQL reads the value as its place wants it. */
    public QueryWriter bind(String value) {
        parts.add(PLACEHOLDER);
        binds.add(value);
        return this;
    }

    /** Writes the elements, separated by {@code separator}. */
    public <T> QueryWriter each(List<T> elements, @CompileTimeConstant final String separator, Consumer<T> writing) {
        for (int i = 0; i < elements.size(); i++) {
            if (i > 0) {
                sql(separator);
            }
            writing.accept(elements.get(i));
        }
        return this;
    }

    /** What was written so far. */
    public SqlFragment text() {
        return SqlFragment.join("", parts);
    }

    /** The values of the placeholders so far, in order. */
    public List<String> binds() {
        return List.copyOf(binds);
    }
}
