package svc.operator.project.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlStateReasonsTest {
    private final TestingDatabases databases = TestingDatabases.create();

    @ParameterizedTest
    @CsvSource({
        "08006, DATABASE_UNREACHABLE",
        "57P01, DATABASE_UNREACHABLE",
        "57P03, DATABASE_UNREACHABLE",
        "28P01, AUTHENTICATION_FAILED",
        "28000, AUTHENTICATION_FAILED",
        "3D000, DATABASE_MISSING",
        "53100, DISK_FULL",
        "53200, OUT_OF_MEMORY",
        "53300, TOO_MANY_CONNECTIONS",
        "25006, READ_ONLY",
        "42501, INSUFFICIENT_PRIVILEGE",
        "42704, NOT_PREPARED",
        "40001, BUSY",
        "40P01, BUSY",
        "55P03, BUSY",
        "57014, BUSY",
        "22012, UNEXPECTED"
    })
    void whatTheServerRaisesBecomesAReason(String state, FailureReason reason) throws SQLException {
        try (Connection connection = databases.server().connect(databases.sharedName())) {
            TestingDatabases.execute(
                    connection, "DO $$BEGIN RAISE 'secret value' USING ERRCODE = '" + state + "'; END$$");
        } catch (SQLException raised) {
            assertThat(SqlStateReasons.of(raised.getSQLState())).isEqualTo(reason);
            assertThat(DatabaseFailure.of("d", Optional.empty(), raised))
                    .hasMessageNotContaining("secret value")
                    .hasMessageContaining(state);
            return;
        }
        throw new AssertionError("nothing was raised");
    }

    @Test
    void aDriverThatKnowsNoStateLostItsServer() {
        assertThat(SqlStateReasons.of(null)).isEqualTo(FailureReason.DATABASE_UNREACHABLE);
    }
}
