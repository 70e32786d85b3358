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
 * Keeps the months of the SQL audit: makes those to come, drops those that are over the retention. The operator does it,
 * because the control plane's login can make and drop nothing. Several operators may; when none does, calls go into a
 * table for the rest and no SQL is stopped.
 */
public final class AuditPartitionMaintenance implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(AuditPartitionMaintenance.class);

    /** So an operator may be away for weeks before calls have to wait for their month. */
    private static final int MONTHS_AHEAD = 3;

    private static final Duration INTERVAL = Duration.ofHours(1);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMinutes(1);
    private static final String KEEP = "SELECT svc_platform.keep_sql_call_months(?, ?, ?)";

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

    /** Begins to keep them, now and every hour; returns at once. */
    public void start() {
        Thread.ofVirtual().name("audit-upkeep").start(() -> {
            try {
                Duration pause;
                do {
                    pause = tried();
                } while (!closing.await(pause.toMillis(), TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /**
     * Brings the months to what they should be now.
     *
     * @return how many were made or dropped; 0 when all was as it should be
     */
    public int keep() throws SQLException {
        try (Connection connection = platform.getConnection();
                PreparedStatement statement = connection.prepareStatement(KEEP)) {
            statement.setObject(1, clock.instant().atOffset(ZoneOffset.UTC));
            statement.setInt(2, MONTHS_AHEAD);
            statement.setInt(3, retentionMonths);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getInt(1);
            }
        }
    }

    private Duration tried() {
        try {
            int changes = keep();
            if (changes > 0) {
                LOG.infof("the SQL audit: %d months made or dropped", changes);
            }
            return INTERVAL;
        } catch (SQLException e) {
            LOG.warnf("the months of the SQL audit could not be kept [%s]; tried again in a minute", e.getSQLState());
            return PAUSE_AFTER_FAILURE;
        }
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
