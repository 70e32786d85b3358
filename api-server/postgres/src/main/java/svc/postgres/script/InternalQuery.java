package svc.postgres.script;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import svc.database.sql.SqlFragment;
import svc.postgres.script.ScriptRun.Results;

/** A query of the platform itself in a tenant's session: few rows, all of them text. */
final class InternalQuery {
    private static final RunLimits LIMITS = RunLimits.defaults();

    private InternalQuery() {}

    /** The server answered with an error, which has aborted the transaction. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient ServerError error;

        RefusedException(ServerError error) {
            super(error.sqlState() + ": " + error.message());
            this.error = error;
        }

        ServerError error() {
            return error;
        }
    }

    /** The rows of a query; null for SQL's null. */
    static List<List<String>> ask(OwnerSession session, SqlFragment sql) throws IOException, RefusedException {
        var collector = new RowCollector(LIMITS, Results.LAST);
        OwnerSession.Reply reply = session.query(sql.sql(), collector);
        if (reply.error().isPresent()) {
            throw new RefusedException(reply.error().get());
        }
        List<List<String>> found = new ArrayList<>();
        for (StatementResult statement : collector.statements()) {
            for (byte[][] row : statement.rows().map(ResultRows::rows).orElse(List.of())) {
                List<String> values = new ArrayList<>(row.length);
                for (byte[] value : row) {
                    values.add(value == null ? null : new String(value, StandardCharsets.UTF_8));
                }
                found.add(values);
            }
        }
        return found;
    }
}
