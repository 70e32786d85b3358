package svc.database.shared.supabase;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** With the catalog closed and the guard on, an application's owner notices neither. */
class OrdinarySqlTest {
    private static Tenant tenant;

    @BeforeAll
    static void migrate() throws Exception {
        tenant = HardenedServer.newTenant();
        try (Connection owner = tenant.owner()) {
            Sql.run(owner, tenant.text("migration.sql"));
        }
    }

    @Test
    void anOldFunctionOfSignedUpUsersRuns() throws Exception {
        try (Connection system = tenant.login("system");
                Connection owner = tenant.owner()) {
            Sql.run(system, tenant.fill("INSERT INTO $S_auth.users (email) VALUES ('ada@example.org')"));
            assertThat(Sql.value(owner, "SELECT username FROM profiles")).isEqualTo("ada");
        }
    }

    @TestFactory
    List<DynamicTest> theApplicationsStatementsRun() {
        return statements("application.sql")
                .map(sql -> DynamicTest.dynamicTest(title(sql), () -> {
                    try (Connection owner = tenant.owner()) {
                        owner.setAutoCommit(false);
                        Sql.run(owner, sql);
                        owner.rollback();
                    }
                }))
                .toList();
    }

    @TestFactory
    List<DynamicTest> theCatalogAnswersForOwnObjects() {
        return statements("introspection.sql")
                .map(sql -> DynamicTest.dynamicTest(title(sql), () -> {
                    try (Connection owner = tenant.owner()) {
                        assertThat(Sql.column(owner, sql)).isNotEmpty();
                    }
                }))
                .toList();
    }

    private static Stream<String> statements(String resource) {
        return Arrays.stream(tenant.text(resource).split("\n"))
                .filter(line -> !line.isBlank() && !line.startsWith("--"));
    }

    private static String title(String sql) {
        return sql.substring(0, Math.min(90, sql.length()));
    }
}
