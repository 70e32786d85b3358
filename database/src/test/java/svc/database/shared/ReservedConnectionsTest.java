package svc.database.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.embedded.postgres.EmbeddedPostgres;

/** The operator warns of a server on which projects can take all connections and lock out the platform's logins. */
class ReservedConnectionsTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void tooFewReservedConnectionsAreReported(int reserved) throws SQLException {
        var settings =
                EmbeddedPostgres.Settings.forTests().with(Map.of("reserved_connections", Integer.toString(reserved)));
        try (var server = EmbeddedPostgres.start(settings);
                Connection superuser = server.connect(server.createDatabase("shared"))) {
            HardeningReport report = new SharedDatabaseHardening().apply(superuser, HardenedServer.SETTINGS);

            assertThat(report.warnings()).singleElement().asString().contains("reserved_connections is " + reserved);
            assertThat(report.warnings().getFirst()).contains("set it to 20");
        }
    }

    @Test
    void aSmallTableOfLocksIsReported() throws SQLException {
        var settings = EmbeddedPostgres.Settings.forTests().with(Map.of("max_locks_per_transaction", "64"));
        try (var server = EmbeddedPostgres.start(settings);
                Connection superuser = server.connect(server.createDatabase("shared"))) {
            HardeningReport report = new SharedDatabaseHardening().apply(superuser, HardenedServer.SETTINGS);

            assertThat(report.warnings())
                    .singleElement()
                    .asString()
                    .contains("max_locks_per_transaction is 64", "set it to 256");
        }
    }

    @Test
    void enoughOfThemAreNot() throws SQLException {
        assertThat(HardenedServer.harden(HardenedServer.DATABASE).warnings()).isEmpty();
    }
}
