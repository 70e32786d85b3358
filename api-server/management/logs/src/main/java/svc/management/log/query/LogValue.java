package svc.management.log.query;

import java.util.Optional;
import svc.database.sql.SqlFragment;

/**
 * An expression of a log query in PostgreSQL's SQL.
 *
 * @param number the same value as a number, where a text stands for one
 * @param source whether it is the name of a line's source
 */
record LogValue(SqlFragment sql, Type type, Optional<SqlFragment> number, boolean source) {
    /** As far as the rewriting needs it. */
    enum Type {
        TEXT,
        NUMBER,
        TIME,
        OTHER
    }

    static LogValue text(SqlFragment sql) {
        return new LogValue(sql, Type.TEXT, Optional.empty(), false);
    }

    static LogValue number(SqlFragment sql) {
        return new LogValue(sql, Type.NUMBER, Optional.of(sql), false);
    }

    static LogValue time(SqlFragment sql) {
        return new LogValue(sql, Type.TIME, Optional.empty(), false);
    }

    static LogValue other(SqlFragment sql) {
        return new LogValue(sql, Type.OTHER, Optional.empty(), false);
    }

    /** Its text, beside its value as a number. */
    LogValue asText() {
        return number.isPresent()
                ? new LogValue(SqlFragment.of("(").append(sql).append(")::text"), Type.TEXT, number, false)
                : this;
    }

    /** As a number; a text that is none is null. */
    SqlFragment asNumber() {
        if (number.isPresent()) {
            return number.get();
        }
        if (type != Type.TEXT) {
            return sql;
        }
        return SqlFragment.of("CASE WHEN (")
                .append(sql)
                .append(") ~ '^[-+]?[0-9]{1,18}([.][0-9]{1,18})?$' THEN (")
                .append(sql)
                .append(")::numeric END");
    }
}
