package svc.management.log.query;

import com.fasterxml.jackson.databind.JsonNode;
import svc.database.sql.SqlFragment;

/** Casts of a log query to the few types that help to compare. */
final class LogCasts {
    private LogCasts() {}

    static LogValue of(JsonNode cast, LogExpressions expressions) {
        JsonNode names = cast.path("typeName").path("names");
        String type = LogTables.sval(names.path(names.size() - 1));
        if (cast.path("typeName").has("arrayBounds")) {
            throw new LogQueryException("Arrays are not supported in log queries.");
        }
        LogValue value = expressions.of(cast.path("arg"));
        return switch (type) {
            case "text", "varchar", "string" -> LogValue.text(cast(value.sql()).append("::text"));
            case "int2", "int4", "int8", "int32", "int64", "float4", "float8", "float64", "numeric" ->
                LogValue.number(cast(value.asNumber()).append("::numeric"));
            case "timestamptz", "timestamp", "datetime", "date" ->
                LogValue.time(cast(value.sql()).append("::timestamptz"));
            case "bool" -> LogValue.other(cast(value.sql()).append("::boolean"));
            case "interval" -> LogValue.other(cast(value.sql()).append("::interval"));
            default ->
                throw new LogQueryException("The type " + LogSelect.shown(type) + " is not supported in log queries.");
        };
    }

    private static SqlFragment cast(SqlFragment sql) {
        return LogExpressions.group(sql);
    }
}
