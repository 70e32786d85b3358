package svc.operator.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import svc.operator.testing.TestingPostgres;

/** A connection that died is found within a moment, however often it is borrowed. */
class CachedConnectionValidatorTest {
    private final AtomicLong nanos = new AtomicLong();
    private final CachedConnectionValidator validator = new CachedConnectionValidator(nanos::get);

    @Test
    void oneThatDiedIsFoundWithinAMomentThoughItIsUsedAllTheTime() throws SQLException {
        try (Connection pooled = connect()) {
            assertThat(validator.isValid(pooled)).isTrue();
            end(pooled);

            long step = CachedConnectionValidator.MAX_AGE.toNanos() / 10;
            for (int use = 1; use < 10; use++) {
                nanos.addAndGet(step);
                assertThat(validator.isValid(pooled))
                        .as("use %d: not asked again", use)
                        .isTrue();
            }
            nanos.addAndGet(step);

            assertThat(validator.isValid(pooled)).isFalse();
            assertThat(validator.isValid(pooled)).as("nor later").isFalse();
        }
    }

    @Test
    void eachIsAskedForItself() throws SQLException {
        try (Connection living = connect();
                Connection dead = connect()) {
            end(dead);

            assertThat(validator.isValid(living)).isTrue();
            assertThat(validator.isValid(dead)).isFalse();
        }
    }

    private static Connection connect() throws SQLException {
        return TestingPostgres.server().connect("postgres");
    }

    private static void end(Connection session) throws SQLException {
        int backend = session.unwrap(PGConnection.class).getBackendPID();
        try (Connection operator = connect();
                Statement statement = operator.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(" + backend + ", 60000)");
        }
    }
}
