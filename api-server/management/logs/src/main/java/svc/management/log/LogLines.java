package svc.management.log;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.database.sql.SqlFragment;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.projectlog.LogSeverity;
import svc.platform.projectlog.LogSource;
import svc.postgres.Row;
import svc.postgres.SqlError;

/** The newest lines of a project, and those that come. */
@ApplicationScoped
class LogLines {
    /** Of one read. */
    static final int MAX_LINES = 1_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** A line is stored a moment after its time; one that takes longer is not followed. */
    private static final Duration LATENESS = Duration.ofMinutes(2);

    private static final SqlFragment LINES = SqlFragment.of(
            "SELECT l.seq, l.at, l.source, l.severity, l.status, l.duration_us, l.bytes, l.method, l.path, l.user_agent,"
                    + " l.request_id, coalesce(l.message, l.method || ' ' || l.path || ' ' || l.status, '') AS message,"
                    + " l.attributes::text AS attributes FROM svc_platform.project_log AS l"
                    + " WHERE l.project_id = ? AND l.at >= ? AND l.seq > ? AND (? = '' OR l.source = ANY (?::smallint[]))");

    private static final SqlFragment NEWEST_BEFORE =
            SqlFragment.of(" AND l.at < ? ORDER BY l.at DESC, l.seq DESC LIMIT ?");
    private static final SqlFragment NEWEST = SqlFragment.of(" ORDER BY l.at DESC, l.seq DESC LIMIT ?");
    private static final SqlFragment NEXT = SqlFragment.of(" ORDER BY l.seq LIMIT ?");

    private final LogReads reads;
    private final Clock clock;

    LogLines(LogReads reads, Clock clock) {
        this.reads = reads;
        this.clock = clock;
    }

    /** A line as it is read; what it does not have is omitted. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Line(
            String id,
            Instant timestamp,
            String source,
            String severity,
            String message,
            String requestId,
            String method,
            String path,
            Long status,
            Double durationMs,
            Long bytes,
            String userAgent,
            JsonNode attributes) {
        long position() {
            return Long.parseLong(id);
        }
    }

    /**
     * The newest lines, oldest first.
     *
     * @param since lines before it are left out
     * @param sources all if empty
     */
    List<Line> newest(UUID project, Instant since, List<LogSource> sources, int limit) {
        List<Line> lines = new ArrayList<>(read(project, LINES.append(NEWEST), since, -1, sources, limit));
        Collections.reverse(lines);
        return lines;
    }

    /** The newest lines of a time, oldest first. */
    List<Line> newest(UUID project, LogWindow window, List<LogSource> sources, int limit) {
        List<Line> lines = new ArrayList<>(
                read(project, LINES.append(NEWEST_BEFORE), window.from(), -1, sources, window.to(), limit));
        Collections.reverse(lines);
        return lines;
    }

    /** The position of the newest line; negative if there is none of late. */
    long last(UUID project) {
        return newest(project, clock.instant().minus(LATENESS), List.of(), 1).stream()
                .mapToLong(Line::position)
                .findFirst()
                .orElse(-1);
    }

    /** The lines stored after one, in the order in which they were stored. */
    List<Line> after(UUID project, long position, List<LogSource> sources) {
        return read(project, LINES.append(NEXT), clock.instant().minus(LATENESS), position, sources, MAX_LINES);
    }

    private List<Line> read(
            UUID project, SqlFragment sql, Instant since, long position, List<LogSource> sources, Object... rest) {
        List<String> numbers = sources.stream()
                .map(source -> Integer.toString(source.number()))
                .toList();
        List<Object> values = new ArrayList<>(List.of(project, since, position, String.join(",", numbers), numbers));
        values.addAll(List.of(rest));
        try {
            return reads.read(project, sql, LogLines::line, values.toArray());
        } catch (SqlError e) {
            throw Problem.of(ProblemCode.LOGS_UNAVAILABLE, "The logs cannot be read now.")
                    .withHint("Retry the request.")
                    .asException(e);
        }
    }

    private static Line line(Row row) {
        return new Line(
                Long.toString(row.number("seq")),
                row.instant("at"),
                LogSource.ofNumber(row.number("source")).map(LogSource::wire).orElse("logs"),
                LogSeverity.values()[Math.clamp(row.number("severity"), 0, LogSeverity.values().length - 1)].wire(),
                row.text("message"),
                row.optional("request_id", String.class).orElse(null),
                row.optional("method", String.class).orElse(null),
                row.optional("path", String.class).orElse(null),
                row.optional("status", Long.class).orElse(null),
                row.optional("duration_us", Long.class)
                        .map(micros -> micros / 1000.0)
                        .orElse(null),
                row.optional("bytes", Long.class).orElse(null),
                row.optional("user_agent", String.class).orElse(null),
                row.optional("attributes", String.class).map(LogLines::json).orElse(null));
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("PostgreSQL wrote a jsonb that is none", e);
        }
    }

    /** Sources by their names, with commas between them. */
    static List<LogSource> sources(Optional<String> names) {
        return names.map(text -> List.of(text.split(",", -1)).stream()
                        .limit(LogSource.values().length + 1L)
                        .map(LogLines::source)
                        .distinct()
                        .toList())
                .orElse(List.of());
    }

    private static LogSource source(String name) {
        return LogSource.ofWire(name)
                .or(() -> LogSource.ofWire(name + "_logs"))
                .orElseThrow(() -> Problem.of(
                                ProblemCode.INVALID_PARAMETER,
                                "The parameter source must be of edge, auth, storage, realtime, function_edge, postgres and"
                                        + " function, with commas between them.")
                        .asException());
    }

    static Optional<String> nonBlank(String text) {
        return Optional.ofNullable(text).filter(given -> !given.isBlank());
    }
}
