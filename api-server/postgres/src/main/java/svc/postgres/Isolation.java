package svc.postgres;

import java.util.Locale;
import java.util.Optional;
import svc.database.sql.SqlFragment;

/** PostgreSQL's isolation levels. */
public enum Isolation {
    READ_COMMITTED(SqlFragment.of("READ COMMITTED")),
    REPEATABLE_READ(SqlFragment.of("REPEATABLE READ")),
    SERIALIZABLE(SqlFragment.of("SERIALIZABLE"));

    private final SqlFragment sql;

    Isolation(SqlFragment sql) {
        this.sql = sql;
    }

    /** As it stands in BEGIN. */
    public SqlFragment sql() {
        return sql;
    }

    /** The level of a value of {@code default_transaction_isolation}; empty for an invalid one. */
    public static Optional<Isolation> ofSetting(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "read committed", "read uncommitted" -> Optional.of(READ_COMMITTED);
            case "repeatable read" -> Optional.of(REPEATABLE_READ);
            case "serializable" -> Optional.of(SERIALIZABLE);
            default -> Optional.empty();
        };
    }
}
