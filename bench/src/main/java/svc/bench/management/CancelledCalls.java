package svc.bench.management;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Calls on one session that are cancelled after a tenth of a second, and the processor time that the session works on. */
final class CancelledCalls {
    private static final int FIRST_SIZE = 64_000;
    private static final int LAST_SIZE = 1_024_000;
    /** At the first size, of a function whose cost grows by the square: 256 times as much at the last is below a second. */
    private static final double NEGLIGIBLE_SECONDS = 0.003;

    private static final double UNENDING_SECONDS = 1;
    private static final double TIMEOUT_SECONDS = 0.1;

    /** The kernel counts processor time by hundredths of a second, whatever the machine. */
    private static final double TICKS_PER_SECOND = 100;

    private static final String CANCELLED = "57014";
    private static final String SUCCEEDED = "00000";
    private static final int USER_TIME = 11;
    private static final int SYSTEM_TIME = 12;

    private final Connection session;
    private final Path statistics;

    /** Makes the tables of arguments, in the session. */
    CancelledCalls(Connection session) throws SQLException {
        this.session = session;
        try (Statement statement = session.createStatement()) {
            try (ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
                row.next();
                this.statistics = Path.of("/proc", row.getString(1), "stat");
            }
            for (int size = FIRST_SIZE; size <= LAST_SIZE; size *= 2) {
                statement.execute(SampleValues.table(size));
            }
            statement.execute("SET statement_timeout = '" + TIMEOUT_SECONDS + "s'");
        }
    }

    /** Larger and larger, so that a call never costs much more than is asked. */
    boolean isUnending(String call) throws IOException {
        double last =
                Math.min(run(call, FIRST_SIZE).seconds(), run(call, FIRST_SIZE).seconds());
        int prompt = 0;
        for (int size = FIRST_SIZE; size <= LAST_SIZE && last > NEGLIGIBLE_SECONDS; size *= 2) {
            Run run = run(call, size);
            if (run.worked() > UNENDING_SECONDS) {
                return true;
            }
            boolean cancelled = run.state().equals(CANCELLED);
            // One that ends by itself right after the time looks prompt once.
            prompt += cancelled && run.worked() < 2 * TIMEOUT_SECONDS ? 1 : 0;
            boolean linear = size > FIRST_SIZE
                    && run.seconds() < 3 * last
                    && run.seconds() * LAST_SIZE / size < UNENDING_SECONDS / 2;
            if (prompt == 2 || linear || !cancelled && !run.state().equals(SUCCEEDED)) {
                return false;
            }
            last = run.seconds();
        }
        return false;
    }

    /** What a call came to, in time and in processor time of its session. */
    private record Run(String state, double seconds, double worked) {}

    private Run run(String call, int size) throws IOException {
        double before = processorSeconds();
        long began = System.nanoTime();
        String state = state(call.replace("$n", Integer.toString(size)));
        double seconds = (System.nanoTime() - began) / 1e9;
        return new Run(state, seconds, processorSeconds() - before);
    }

    private String state(String sql) {
        try (Statement statement = session.createStatement()) {
            statement.execute(sql);
            return SUCCEEDED;
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    private double processorSeconds() throws IOException {
        String line = Files.readString(statistics);
        String[] columns = line.substring(line.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(columns[USER_TIME]) + Long.parseLong(columns[SYSTEM_TIME])) / TICKS_PER_SECOND;
    }
}
