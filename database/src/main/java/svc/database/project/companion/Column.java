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
 * @param storage of long values at creation; not a fact, so drift of it is not repaired
 */
public record Column(
        Identifier name,
        SqlFragment type,
        boolean nullable,
        SqlFragment defaultValue,
        boolean generated,
        Storage storage) {
    /** Storage of long values. */
    public enum Storage {
        /** What the type does by itself: mostly compressed, then moved to the TOAST table, which the table must have. */
        OF_TYPE(SqlFragment.empty()),
        /** Stays in the row as it is; a row of more than 8 KB is refused. */
        PLAIN(SqlFragment.of(" STORAGE PLAIN"));

        private final SqlFragment sql;

        Storage(SqlFragment sql) {
            this.sql = sql;
        }
    }

    public Column {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(defaultValue, "defaultValue is null");
        requireNonNull(storage, "storage is null");
    }

    public static Column of(@CompileTimeConstant final String name, @CompileTimeConstant final String type) {
        return new Column(Identifier.of(name), SqlFragment.of(type), true, SqlFragment.empty(), false, Storage.OF_TYPE);
    }

    public Column notNull() {
        return new Column(name, type, false, defaultValue, generated, storage);
    }

    public Column withDefault(@CompileTimeConstant final String expression) {
        return new Column(name, type, nullable, SqlFragment.of(expression), false, storage);
    }

    public Column generatedAs(@CompileTimeConstant final String expression) {
        return new Column(name, type, nullable, SqlFragment.of(expression), true, storage);
    }

    public Column stored(Storage how) {
        return new Column(name, type, nullable, defaultValue, generated, how);
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
        SqlFragment sql = SqlFragment.of(name).append(" ").append(type).append(storage.sql);
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
