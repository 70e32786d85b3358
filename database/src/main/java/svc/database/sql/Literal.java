package svc.database.sql;

import static java.util.Objects.requireNonNull;

import java.util.HexFormat;
import java.util.UUID;

/**
 * A constant in SQL text. Its reading does not depend on {@code standard_conforming_strings}, which a session may have
 * turned off: text with a backslash is written as {@code E'…'}, other text has no character that the setting touches.
 */
public final class Literal implements SqlValue {
    private static final String REDACTED = "'***'";

    private final String sql;
    private final boolean secret;

    private Literal(String sql, boolean secret) {
        this.sql = sql;
        this.secret = secret;
    }

    /** A text constant; NUL and lone surrogates are refused. */
    public static Literal of(String value) {
        return new Literal(quoted(value), false);
    }

    /** A text constant that {@link #printable()} and {@link #toString()} leave out: a verifier, a key. */
    public static Literal secret(String value) {
        return new Literal(quoted(value), true);
    }

    public static Literal of(long value) {
        // In parentheses, because a bare minus sign after another operator would be read as part of that operator.
        return new Literal(value < 0 ? "(" + value + ")" : Long.toString(value), false);
    }

    public static Literal of(boolean value) {
        return new Literal(value ? "true" : "false", false);
    }

    public static Literal of(UUID value) {
        return new Literal("'" + value + "'::uuid", false);
    }

    /** A bytea constant in hex form. */
    public static Literal of(byte[] value) {
        return new Literal("E'\\\\x" + HexFormat.of().formatHex(value) + "'::bytea", false);
    }

    private static String quoted(String value) {
        requireNonNull(value, "value is null");
        SqlText.utf8Length(value, "literal");
        String body = SqlText.doubled(value, '\'');
        // The space keeps the E from joining a word that stands before it.
        return value.indexOf('\\') < 0 ? "'" + body + "'" : " E'" + SqlText.doubled(body, '\\') + "'";
    }

    @Override
    public String sql() {
        return sql;
    }

    @Override
    public String printable() {
        return secret ? REDACTED : sql;
    }

    @Override
    public boolean secret() {
        return secret;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Literal that && sql.equals(that.sql) && secret == that.secret;
    }

    @Override
    public int hashCode() {
        return sql.hashCode();
    }

    @Override
    public String toString() {
        return printable();
    }
}
