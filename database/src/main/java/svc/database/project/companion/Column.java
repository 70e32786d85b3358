package svc.database.project.companion;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.CompileTimeConstant;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;

/**
 * A column of a companion table.
 *
 * @param type as {@code format_type} spells it
 * @param defaultValue as {@code pg_get_expr} spells it; empty for none. For a generated column, its expression
 */
public record Column(Identifier name, SqlFragment type, boolean nullable, SqlFragment defaultValue, boolean generated) {
    public Column {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(defaultValue, "defaultValue is null");
    }

    public static Column of(@CompileTimeConstant final String name, @CompileTimeConstant final String type) {
        return new Column(Identifier.of(name), SqlFragment.of(type), true, SqlFragment.empty(), false);
    }

    public Column notNull() {
        return new Column(name, type, false, defaultValue, generated);
    }

    public Column withDefault(@CompileTimeConstant final String expression) {
        return new Column(name, type, nullable, SqlFragment.of(expression), false);
    }

    public Column generatedAs(@CompileTimeConstant final String expression) {
        return new Column(name, type, nullable, SqlFragment.of(expression), true);
    }

    /** The type with the generation expression, which together can never be changed without touching rows. */
    public String shape() {
        return generated ? type.sql() + " GENERATED " + defaultValue.sql() : type.sql();
    }

    /** The default as PostgreSQL prints it; empty for none and for a generated column. */
    public String plainDefault() {
        return generated ? "" : defaultValue.sql();
    }

    /** What stands in CREATE TABLE and ADD COLUMN. */
    public SqlFragment definition() {
        SqlFragment sql = SqlFragment.of(name).append(" ").append(type);
        if (generated) {
            sql = sql.append(" GENERATED ALWAYS AS (").append(defaultValue).append(") STORED");
        } else if (!defaultValue.isEmpty()) {
            sql = sql.append(" DEFAULT ").append(defaultValue);
        }
        return nullable ? sql : sql.append(" NOT NULL");
    }

    /**
     * Whether ADD COLUMN of this one rewrites nothing and asks nothing of rows that are there: no generation, no default
     * but a constant, and a default where NULL is not allowed.
     */
    public boolean additive() {
        boolean constant = !defaultValue.sql().contains("(");
        return !generated && constant && (nullable || !defaultValue.isEmpty());
    }
}
