package svc.management.log.query;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.platform.projectlog.LogSource;

/**
 * What the columns and attributes of Supabase's log tables are in ours. An attribute has a key with dots: {@code
 * request.method}; those that we do not have are null, as a missing key is there.
 */
final class LogColumns {
    /** Columns of the table {@code logs}, in the order of {@code *}. */
    static final List<String> ALL =
            List.of("id", "timestamp", "event_message", "severity_text", "source", "log_attributes");

    /** Of a table for each source. */
    static final List<String> ALL_OF_SOURCE = List.of("id", "timestamp", "event_message", "metadata");

    /** Named in messages. */
    static final String NAMES =
            "id, timestamp, event_message, severity_text, source, log_attributes['<key>'], request_id, method,"
                    + " path, status, duration_ms, bytes, user_agent";

    private static final SqlFragment MESSAGE =
            SqlFragment.of("coalesce(l.message, l.method || ' ' || l.path || ' ' || l.status)");

    private static final SqlFragment SEVERITY = SqlFragment.of(
            "CASE l.severity WHEN 0 THEN 'DEBUG' WHEN 1 THEN 'INFO' WHEN 2 THEN 'WARN' ELSE 'ERROR' END");

    private static final SqlFragment LEVEL = SqlFragment.of(
            "CASE l.severity WHEN 0 THEN 'debug' WHEN 1 THEN 'info' WHEN 2 THEN 'warning' ELSE 'error' END");

    private static final SqlFragment POSTGRES_SEVERITY =
            SqlFragment.of("CASE WHEN l.source = 6 THEN CASE WHEN l.severity >= 3 THEN 'ERROR' ELSE 'LOG' END END");

    private static final SqlFragment MILLIS = SqlFragment.of("(l.duration_us::float8 / 1000)");

    private static final SqlFragment ATTRIBUTES = SqlFragment.of(
            "jsonb_strip_nulls(jsonb_build_object('request_id', l.request_id, 'request.method', l.method, 'request.path', l.path,"
                    + " 'request.headers.user_agent', l.user_agent, 'response.status_code', l.status::text,"
                    + " 'execution_time_ms', (l.duration_us::float8 / 1000)::text, 'response.bytes', l.bytes::text)"
                    + " || coalesce(l.attributes, '{}'))");

    private static final SqlFragment METADATA = SqlFragment.of(
            "jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('request_id', l.request_id, 'request',"
                    + " CASE WHEN l.status IS NOT NULL THEN jsonb_build_array(jsonb_build_object('method', l.method, 'path', l.path))"
                    + " END, 'response', CASE WHEN l.status IS NOT NULL THEN"
                    + " jsonb_build_array(jsonb_build_object('status_code', l.status)) END,"
                    + " 'execution_time_ms', l.duration_us::float8 / 1000) || coalesce(l.attributes, '{}')))");

    private LogColumns() {}

    /** A column by its name in lower case. */
    static Optional<LogValue> column(String name) {
        return Optional.ofNullable(
                switch (name) {
                    case "id" -> LogValue.text(SqlFragment.of("l.seq::text"));
                    case "timestamp" -> LogValue.time(SqlFragment.of("l.at"));
                    case "event_message" -> LogValue.text(MESSAGE);
                    case "severity_text", "severity" -> LogValue.text(SEVERITY);
                    case "source", "source_name" -> sourceName();
                    case "log_attributes" -> LogValue.other(ATTRIBUTES);
                    case "metadata" -> LogValue.other(METADATA);
                    case "request_id", "method", "path", "status", "status_code", "bytes", "user_agent", "level" ->
                        attribute(name);
                    case "duration_ms" -> LogValue.number(MILLIS);
                    default -> null;
                });
    }

    /** An attribute by its key. */
    static LogValue attribute(String key) {
        return switch (key.toLowerCase(Locale.ROOT)) {
            case "request.method", "method" -> LogValue.text(SqlFragment.of("l.method"));
            case "request.path", "request.url", "path" -> LogValue.text(SqlFragment.of("l.path"));
            case "request.headers.user_agent", "user_agent" -> LogValue.text(SqlFragment.of("l.user_agent"));
            case "response.status_code", "status_code", "status" -> LogValue.number(SqlFragment.of("l.status"));
            case "response.origin_time", "execution_time_ms", "duration_ms" -> LogValue.number(MILLIS);
            case "response.bytes", "response.headers.content_length", "bytes" ->
                LogValue.number(SqlFragment.of("l.bytes"));
            case "request_id", "request.id", "execution_id" -> LogValue.text(SqlFragment.of("l.request_id"));
            case "msg" -> LogValue.text(MESSAGE);
            case "level" -> LogValue.text(LEVEL);
            case "parsed.error_severity" -> LogValue.text(POSTGRES_SEVERITY);
            case "parsed.sql_state_code" -> stored("sqlstate");
            case "event_type" -> stored("event");
            case "function_id", "function_name" -> stored("function");
            default -> stored(key);
        };
    }

    private static LogValue stored(String key) {
        return LogValue.text(
                SqlFragment.of("(l.attributes ->> ").append(Literal.of(key)).append(")"));
    }

    private static LogValue sourceName() {
        SqlFragment sql = SqlFragment.of("CASE l.source");
        for (LogSource source : LogSource.values()) {
            sql = sql.append(" WHEN ")
                    .append(Literal.of(source.number()))
                    .append(" THEN ")
                    .append(Literal.of(source.wire()));
        }
        return new LogValue(sql.append(" END"), LogValue.Type.TEXT, Optional.empty(), true);
    }

    /** Lines of a source by its name; none for an unknown one. Requests to all services are edge_logs as well. */
    static SqlFragment ofSource(String name) {
        return LogSource.ofWire(name)
                .map(source -> source == LogSource.EDGE
                        ? SqlFragment.of("(l.source = 1 OR l.status IS NOT NULL)")
                        : SqlFragment.of("l.source = ").append(Literal.of(source.number())))
                .orElseGet(() -> SqlFragment.of("false"));
    }
}
