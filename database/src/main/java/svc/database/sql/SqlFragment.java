package svc.database.sql;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * A piece of SQL text, immutable and composable; the only thing that may be sent to PostgreSQL. Its text comes from
 * constants of the program (the compiler refuses anything else), from class-path resources, and from
 * {@link Identifier} and {@link Literal}; never from a plain string that was put together at run time.
 */
public final class SqlFragment implements SqlValue {
    private static final SqlFragment EMPTY = new SqlFragment("", "");

    private final String sql;

    /** The same object as the text unless that has secrets: most statements are built once. */
    private final String printable;

    private SqlFragment(String sql, String printable) {
        this.sql = sql;
        this.printable = printable;
    }

    private SqlFragment(String sql) {
        this(sql, sql);
    }

    /** SQL text of the program itself. Values go in through {@link SqlTemplate}. */
    public static SqlFragment of(@CompileTimeConstant final String constant) {
        return new SqlFragment(constant);
    }

    public static SqlFragment of(SqlValue value) {
        return value.secret() ? new SqlFragment(value.sql(), value.printable()) : new SqlFragment(value.sql());
    }

    public static SqlFragment empty() {
        return EMPTY;
    }

    /** The parts in their order with {@code separator} between them. */
    public static SqlFragment join(@CompileTimeConstant final String separator, Collection<? extends SqlValue> parts) {
        String sql = parts.stream().map(SqlValue::sql).collect(Collectors.joining(separator));
        return parts.stream().noneMatch(SqlValue::secret)
                ? new SqlFragment(sql)
                : new SqlFragment(sql, parts.stream().map(SqlValue::printable).collect(Collectors.joining(separator)));
    }

    /** For this package only: the caller answers for where the text came from. */
    static SqlFragment ofRendered(String sql, String printable) {
        return printable.equals(sql) ? new SqlFragment(sql) : new SqlFragment(sql, printable);
    }

    /** The same for text without secrets. */
    static SqlFragment ofRendered(String sql) {
        return new SqlFragment(sql);
    }

    public SqlFragment append(SqlValue next) {
        return secret() || next.secret()
                ? new SqlFragment(sql + next.sql(), printable + next.printable())
                : new SqlFragment(sql + next.sql());
    }

    public SqlFragment append(@CompileTimeConstant final String constant) {
        return secret() ? new SqlFragment(sql + constant, printable + constant) : new SqlFragment(sql + constant);
    }

    public boolean isEmpty() {
        return sql.isEmpty();
    }

    @Override
    public String sql() {
        return sql;
    }

    @Override
    public String printable() {
        return printable;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // The same object where nothing is left out.
    public boolean secret() {
        return sql != printable;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SqlFragment that && sql.equals(that.sql) && printable.equals(that.printable);
    }

    @Override
    public int hashCode() {
        return sql.hashCode();
    }

    /** Without secrets. */
    @Override
    public String toString() {
        return printable;
    }
}
