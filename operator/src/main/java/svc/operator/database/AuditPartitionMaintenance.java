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
 * Maintains the monthly partitions of the SQL audit log: creates future ones, drops those past the retention. The operator
 * does it, because the control plane's login has no DDL. Several operators may run it at once. While none runs, rows go
 * into the default partition and no SQL is refused.
 */
public final class AuditPartitionMaintenance implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(AuditPartitionMaintenance.class);

    /** The operator may be down for weeks before rows land in the default partition. */
    private static final int MONTHS_AHEAD = 3;

    private static final Duration INTERVAL = Duration.ofHours(1);
    private static final Duration RETRY_INTERVAL = Duration.ofMinutes(1);
    private static final String MAINTAIN = "SELECT svc_platform.maintain_sql_call_partitions(?, ?, ?)";

    private final DataSource platform;
    private final int retentionMonths;
    private final InstantSource clock;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** @throws IllegalStateException when the retention is less than a month */
    public AuditPartitionMaintenance(DataSource platform, int retentionMonths, InstantSource clock) {
        if (retentionMonths < 1) {
            throw new IllegalStateException("svc.audit.retention-months must be 1 or more, and is " + retentionMonths);
        }
        this.platform = platform;
        this.retentionMonths = retentionMonths;
        this.clock = clock;
    }

    /** Starts maintenance in the background, now and then every hour. */
    public void start() {
        Thread.ofVirtual().name("audit-partition-maintenance").start(() -> {
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
                PreparedStatement statement = connection.prepareStatement(MAINTAIN)) {
            statement.setObject(1, clock.instant().atOffset(ZoneOffset.UTC));
            statement.setInt(2, MONTHS_AHEAD);
            statement.setInt(3, retentionMonths);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getInt(1);
            }
        }
    }

    private Duration runOnce() {
        try {
            int changes = maintain();
            if (changes > 0) {
                LOG.infof("SQL audit: %d partitions created or dropped", changes);
            }
            return INTERVAL;
        } catch (SQLException e) {
            LOG.warnf("SQL audit: partition maintenance failed [%s]; retrying in a minute", e.getSQLState());
            return RETRY_INTERVAL;
        }
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
