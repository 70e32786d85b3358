package svc.postgres;

import com.google.re2j.Pattern;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * An error of PostgreSQL or of the connection to it. The server's text is passed on unchanged; programs
 * decide by {@link #sqlState()} only.
 */
public final class SqlError extends RuntimeException {
    /** program_limit_exceeded: the answer would have taken too much of this process's memory. */
    public static final String TOO_LARGE = "54000";

    /** Connection, login, database, resources: the server or the connection is at fault, not the statement. */
    private static final Set<String> INFRASTRUCTURE = Set.of("08", "28", "3D", "53");

    /** undefined_table, invalid_schema_name, insufficient_privilege. */
    private static final Set<String> NOT_PREPARED = Set.of("42P01", "3F000", "42501");

    private static final Pattern STATE = Pattern.compile("[0-9A-Z]{5}");

    private final String sqlState;
    private final Optional<String> detail;
    private final Optional<String> hint;
    private final Optional<String> constraint;
    private final boolean fromServer;

    private SqlError(String sqlState, String message, Optional<ServerErrorMessage> server, SQLException cause) {
        super(message, cause);
        this.sqlState = sqlState;
        this.fromServer = server.isPresent();
        this.detail = server.map(ServerErrorMessage::getDetail);
        this.hint = server.map(ServerErrorMessage::getHint);
        this.constraint = server.map(ServerErrorMessage::getConstraint);
    }

    public static SqlError of(SQLException cause) {
        if (cause.getMessage() != null && cause.getMessage().contains("maxResultBuffer")) {
            // The driver reports a broken connection; a retry would break the next one as well.
            return new SqlError(TOO_LARGE, "the answer is larger than " + Login.RESULT_LIMIT, Optional.empty(), cause);
        }
        // A server that a tenant chose may send anything as its code.
        boolean valid = cause.getSQLState() != null
                && STATE.matcher(cause.getSQLState()).matches();
        String state = valid ? cause.getSQLState() : "58000";
        Optional<ServerErrorMessage> server = cause instanceof PSQLException postgres
                ? Optional.ofNullable(postgres.getServerErrorMessage())
                : Optional.empty();
        String message = server.map(ServerErrorMessage::getMessage).orElse(cause.getMessage());
        return new SqlError(state, message == null ? "" : message, server, cause);
    }

    /**
     * A connection could not be opened. The message must not be shown to a caller: the server names its database and
     * our login.
     */
    public static SqlError connecting(SQLException cause) {
        return of(cause).concealed();
    }

    /** The same error, marked as one that must not be shown to a caller. */
    public SqlError concealed() {
        return new SqlError(sqlState, getMessage(), Optional.empty(), (SQLException) getCause());
    }

    /** Five characters, as in PostgreSQL's appendix A; of class 08 when the connection failed. */
    public String sqlState() {
        return sqlState;
    }

    public Optional<String> detail() {
        return detail;
    }

    public Optional<String> hint() {
        return hint;
    }

    /** The violated constraint, for errors of class 23. */
    public Optional<String> constraint() {
        return constraint;
    }

    /** Whether it is the server's error for a statement. The message of any other must not be shown to a caller. */
    public boolean fromServer() {
        return fromServer;
    }

    /** Whether the connection is unusable: broken, terminated, or never opened. */
    public boolean connectionLost() {
        return sqlState.startsWith("08") || sqlState.startsWith("57P");
    }

    /**
     * Whether the database cannot answer now and may later (classes 08, 28, 3D, 53 and 57P0x of PostgreSQL's appendix A);
     * a cancelled or invalid statement is not among them.
     */
    public boolean infrastructure() {
        return INFRASTRUCTURE.contains(sqlState.substring(0, 2)) || sqlState.startsWith("57P0");
    }

    /** Whether a table is missing or not accessible. For the platform's own tables: they are not prepared yet. */
    public boolean notPrepared() {
        return NOT_PREPARED.contains(sqlState);
    }

    public boolean is(String state) {
        return sqlState.equals(state);
    }
}
