package svc.api.db;

import java.sql.SQLException;
import java.util.List;
import org.postgresql.core.CachedQuery;
import org.postgresql.core.Oid;
import org.postgresql.core.ParameterList;
import org.postgresql.core.QueryExecutor;
import org.postgresql.jdbc.PgConnection;
import svc.database.sql.SqlFragment;

/**
 * Sends several statements in one network write over the driver's own executor: Bind and Execute of each, one Sync; from
 * the second use of a text on, without Parse. Below JDBC's statements, because those hide how far the server came before
 * an error and keep every notice.
 */
final class FlushConnection {
    /** No BEGIN of the driver's own, and every value as text, whatever its type. */
    private static final int FLAGS = QueryExecutor.QUERY_SUPPRESS_BEGIN | QueryExecutor.QUERY_NO_BINARY_TRANSFER;

    private final PgConnection connection;

    FlushConnection(PgConnection connection) {
        this.connection = connection;
    }

    /** Runs the statements; {@code result} knows afterwards how far they came, after an exception as well. */
    void send(SqlFragment text, List<Setting> settings, List<String> binds, FlushResult result) throws SQLException {
        QueryExecutor executor = connection.getQueryExecutor();
        CachedQuery cached = executor.borrowQueryByKey(executor.createQueryKey(text.sql(), false, true));
        try {
            ParameterList parameters = cached.query.createParameterList();
            int place = 1;
            for (Setting setting : settings) {
                parameters.setStringParameter(place++, setting.name(), Oid.TEXT);
                parameters.setStringParameter(place++, setting.value(), Oid.TEXT);
            }
            for (String bind : binds) {
                parameters.setStringParameter(place++, bind, Oid.UNSPECIFIED);
            }
            executor.execute(cached.query, parameters, result, 0, 0, FLAGS);
        } finally {
            executor.releaseQuery(cached);
        }
    }

    /** Whether notifications arrived, which only a LISTEN of tenant code can cause. Reads nothing from the network. */
    boolean wasNotified() throws SQLException {
        return connection.getQueryExecutor().getNotifications().length > 0;
    }

    /**
     * Whether the server has not closed this session while it lay idle. Looks at what has arrived, for a millisecond at
     * most, without a round trip.
     */
    boolean alive() {
        try {
            connection.getQueryExecutor().processNotifies();
            return !connection.isClosed() && !wasNotified();
        } catch (SQLException e) {
            return false;
        }
    }
}
