package svc.management.log;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.database.sql.SqlFragment;
import svc.management.log.query.LogQueryException;
import svc.management.log.query.LogSelect;
import svc.management.log.query.LogText;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.SqlError;
import svc.sqlgate.parser.ParseResult;
import svc.sqlgate.parser.SqlReader;

/** Runs log queries. No text of a caller is sent to the database: its statement is written from what was parsed. */
@ApplicationScoped
public class LogQueries {
    private static final int MAX_LENGTH = 10_000;
    private static final String HINT =
            "Such as: select timestamp, event_message, log_attributes['response.status_code'] from logs"
                    + " where source = 'edge_logs' order by timestamp desc limit 100. docs/logs.md has the dialect.";

    private static final SqlFragment AS_JSON = SqlFragment.of(
            "SELECT row FROM (SELECT row, sum(octet_length(row)) OVER (ROWS UNBOUNDED PRECEDING) AS total"
                    + " FROM (SELECT row_to_json(q)::text AS row FROM (");

    private static final SqlFragment BOUNDED = SqlFragment.of(") AS q) AS r) AS s WHERE total <= ?");

    private final SqlReader reader;
    private final LogReads reads;
    private final Clock clock;

    LogQueries(SqlReader reader, LogReads reads, Clock clock) {
        this.reader = reader;
        this.reads = reads;
        this.clock = clock;
    }

    /**
     * Runs one query.
     *
     * @param start of the window, ISO 8601; a day before its end if absent
     * @param end of the window; now if absent
     * @param maxBytes of all rows; those beyond are left out
     * @return each row as a JSON object
     * @throws ProblemException 400 for what is not supported, 503 if too many queries run
     */
    public List<String> run(UUID projectId, String sql, Optional<String> start, Optional<String> end, int maxBytes) {
        LogWindow window = LogWindow.of(start, end, clock);
        SqlFragment statement = AS_JSON.append(statement(projectId, sql)).append(BOUNDED);
        try {
            return reads.read(
                    projectId, statement, row -> row.text("row"), projectId, window.from(), window.to(), maxBytes);
        } catch (SqlError e) {
            throw problem(e).asException(e);
        }
    }

    private SqlFragment statement(UUID projectId, String sql) {
        if (sql.isBlank() || sql.length() > MAX_LENGTH) {
            throw invalid("The log query has 1 to " + MAX_LENGTH + " characters.");
        }
        // Its organisation is not known here; a query is short, and its project stands for one.
        var caller = new Caller(projectId.toString(), projectId.toString());
        return switch (reader.parse(caller, LogText.respelled(sql))) {
            case ParseResult.Unparseable fault ->
                throw invalid("The log query cannot be read: " + fault.message() + ".");
            case ParseResult.Refused refused
            when refused.reason().passing() ->
                throw Problem.of(
                                ProblemCode.LOGS_UNAVAILABLE,
                                "The log query was not run: " + refused.reason().words() + ".")
                        .withHint("Retry the request.")
                        .asException();
            case ParseResult.Refused refused ->
                throw invalid("The log query was refused: " + refused.reason().words() + ".");
            case ParseResult.Parsed parsed -> select(parsed);
        };
    }

    private static SqlFragment select(ParseResult.Parsed parsed) {
        if (parsed.statements().size() != 1
                || !parsed.statements().getFirst().kind().equals("SelectStmt")) {
            throw invalid("A log query is one SELECT.");
        }
        try {
            return LogSelect.of(parsed.statements().getFirst().tree());
        } catch (LogQueryException e) {
            throw invalid(e.getMessage());
        } catch (IllegalArgumentException e) {
            // A name or a text that SQL cannot have.
            throw invalid("The log query has a name or a text that cannot be used: " + e.getMessage() + ".");
        }
    }

    private static Problem problem(SqlError error) {
        if (error.is("57014")) {
            return Problem.of(ProblemCode.LOG_QUERY_TIMEOUT, "The log query took too long and was stopped.")
                    .withHint("Narrow the window with " + LogWindow.START + " and " + LogWindow.END + ".");
        }
        if (!error.fromServer()) {
            return Problem.of(ProblemCode.LOGS_UNAVAILABLE, "The logs cannot be read now.");
        }
        return Problem.of(ProblemCode.LOG_QUERY_INVALID, "The log query failed: " + error.getMessage() + ".")
                .withHint(HINT);
    }

    private static ProblemException invalid(String message) {
        return Problem.of(ProblemCode.LOG_QUERY_INVALID, message).withHint(HINT).asException();
    }
}
