package svc.operator.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.agroal.api.AgroalDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import svc.database.loop.ProjectRunner;
import svc.database.loop.RunnerSettings;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.observe.Observation;
import svc.operator.observe.Observation.DatabasePrepared;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;

/**
 * Promise: an unreadable password file, which is no SQL error, ends no work in the background. Awaitility fails a test in
 * which another thread ends with an exception.
 */
class UnreadablePasswordTest {
    private final AtomicBoolean readable = new AtomicBoolean();
    private final AtomicInteger refusals = new AtomicInteger();

    @Test
    void aDatabaseIsPreparedOnceItCanBeRead() {
        List<Observation> observations = new CopyOnWriteArrayList<>();
        try (var databases = new SharedDatabases(
                List.of(login()), "main", any -> UnreadablePasswordTest::connect, observations::add)) {
            databases.prepareInBackground(request -> {});
            awaitRefusals(1);

            readable.set(true);

            Awaitility.await()
                    .atMost(TestingOperator.LIMIT)
                    .until(() -> observations.contains(new DatabasePrepared("main", 0)));
        }
    }

    @Test
    void publicationsAreTriedAgain() {
        try (AgroalDataSource pool = ConnectionPool.open(login());
                var runner = new ProjectRunner("test", RunnerSettings.of(1, 1, Duration.ofSeconds(1)))) {
            new PublicationReconciler("main", pool, runner).start();
            awaitRefusals(4);
        }
    }

    @Test
    void partitionsAreTriedAgain() {
        try (AgroalDataSource pool = ConnectionPool.open(login())) {
            var maintenance = PartitionMaintenance.ofAudit(pool, 13, InstantSource.system());
            assertThat(maintenance.runOnce()).isEqualTo(Duration.ofMinutes(1));
        }
        assertThat(refusals).hasPositiveValue();
    }

    private void awaitRefusals(int count) {
        Awaitility.await().atMost(TestingOperator.LIMIT).until(() -> refusals.get() >= count);
    }

    private DatabaseLogin login() {
        String url = TestingPostgres.server().jdbcUrl(TestingPostgres.database());
        return new DatabaseLogin("main", url, EmbeddedPostgres.OPERATOR, this::password, 2);
    }

    private String password() {
        if (!readable.get()) {
            refusals.incrementAndGet();
            throw new UncheckedIOException(new IOException("the password file is away"));
        }
        return TestingPostgres.server().operatorPassword();
    }

    private static int connect(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return connection.isValid(30) ? 0 : 1;
        }
    }
}
