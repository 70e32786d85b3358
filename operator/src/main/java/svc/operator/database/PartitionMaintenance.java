package svc.operator.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * Maintains the partitions of a table of the platform: creates future ones, drops those past the retention. The operator does
 * it, because the control plane's login has no DDL. Several operators may run it at once. While none runs, rows go into the
 * default partition and none is refused.
 */
public final class PartitionMaintenance implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(PartitionMaintenance.class);

    private static final Duration INTERVAL = Duration.ofHours(1);
    private static final Duration RETRY_INTERVAL = Duration.ofMinutes(1);

    /** The operator may be down for as long before rows land in the default partition. */
    private static final int MONTHS_AHEAD = 3;

    private static final int DAYS_AHEAD = 7;

    private final String name;
    private final String maintain;
    private final DataSource platform;
    private final int ahead;
    private final int retention;
    private final InstantSource clock;
    private final CountDownLatch closing = new CountDownLatch(1);

    private PartitionMaintenance(
            String name, String maintain, DataSource platform, int ahead, int retention, InstantSource clock) {
        this.name = name;
        this.maintain = maintain;
        this.platform = platform;
        this.ahead = ahead;
        this.retention = retention;
        this.clock = clock;
    }

    /**
     * Of the SQL audit, by month.
     *
     * @throws IllegalStateException when the retention is less than a month
     */
    public static PartitionMaintenance ofAudit(DataSource platform, int retentionMonths, InstantSource clock) {
        if (retentionMonths < 1) {
            throw new IllegalStateException("svc.audit.retention-months must be 1 or more, and is " + retentionMonths);
        }
        return new PartitionMaintenance(
                "SQL audit",
                "SELECT svc_platform.maintain_sql_call_partitions(?, ?, ?)",
                platform,
                MONTHS_AHEAD,
                retentionMonths,
                clock);
    }

    /**
     * Of the projects' logs, by day.
     *
     * @throws IllegalStateException when the retention is less than a day
     */
    public static PartitionMaintenance ofProjectLogs(DataSource platform, int retentionDays, InstantSource clock) {
        if (retentionDays < 1) {
            throw new IllegalStateException("svc.logs.retention-days must be 1 or more, and is " + retentionDays);
        }
        return new PartitionMaintenance(
                "projects' logs",
                "SELECT svc_platform.maintain_project_log_partitions(?, ?, ?)",
                platform,
                DAYS_AHEAD,
                retentionDays,
                clock);
    }

    /** Starts maintenance in the background, now and then every hour. */
    public void start() {
        Thread.ofVirtual().name("partition-maintenance").start(() -> {
            try {
                Duration delay;
                do {
                    delay = runOnce();
                } while (!closing.await(delay.toMillis(), TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /**
     * Creates and drops partitions as of now.
     *
     * @return the number of partitions created or dropped
     */
    public int maintain() throws SQLException {
        try (Connection connection = platform.getConnection();
                PreparedStatement statement = connection.prepareStatement(maintain)) {
            statement.setObject(1, clock.instant().atOffset(ZoneOffset.UTC));
            statement.setInt(2, ahead);
            statement.setInt(3, retention);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getInt(1);
            }
        }
    }

    /** Never throws, because nothing would start the thread again; returns the delay before the next run. */
    Duration runOnce() {
        try {
            int changes = maintain();
            if (changes > 0) {
                LOG.infof("%s: %d partitions created or dropped", name, changes);
            }
            return INTERVAL;
        } catch (SQLException | RuntimeException e) {
            // An unreadable password file is no SQLException.
            LOG.warnf(
                    "%s: partition maintenance failed [%s]; retrying in a minute",
                    name, SqlStates.of(e).orElse(e.getClass().getSimpleName()));
            return RETRY_INTERVAL;
        }
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
