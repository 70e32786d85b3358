package svc.database.shared.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** Rule 4 for relations: the catalog itself is closed, the filtered views know the own project only. */
class RelationWallTest {
    static final List<String> LOGINS = Tenant.LOGINS;

    @ParameterizedTest
    @FieldSource("LOGINS")
    void everyRelationOfTheCatalogIsRefused(String login) throws Exception {
        List<String> relations = relations("pg_catalog', 'information_schema', 'svc_guard");
        assertThat(relations).hasSizeGreaterThan(180);
        try (Connection connection = HardenedServer.A.login(login)) {
            for (String relation : relations) {
                assertThat(Sql.state(connection, "SELECT count(*) FROM " + relation))
                        .as(relation)
                        .isEqualTo("42501");
            }
        }
    }

    @ParameterizedTest
    @FieldSource("LOGINS")
    void noFilteredViewShowsANeighbour(String login) throws Exception {
        try (Connection connection = HardenedServer.A.login(login)) {
            for (String view : relations("svc_views', 'svc_information_schema")) {
                List<String> rows = Sql.column(connection, "SELECT v::text FROM " + view + " v");
                assertThat(rows).as(view).noneMatch(row -> row.contains(HardenedServer.B.schema()));
            }
            assertThat(Sql.column(connection, "SELECT relname FROM svc_views.pg_class"))
                    .contains("secrets", "users");
        }
    }

    @ParameterizedTest
    @FieldSource("LOGINS")
    void numbersOfNeighboursDoNotAppearEither(String login) throws Exception {
        String oids = "SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname ~ '^"
                + HardenedServer.B.schema() + "'";
        try (Connection superuser = HardenedServer.superuser();
                Connection connection = HardenedServer.A.login(login)) {
            List<String> neighbours = Sql.column(superuser, oids);
            assertThat(Sql.column(connection, "SELECT oid FROM svc_views.pg_class"))
                    .doesNotContainAnyElementsOf(neighbours);
            assertThat(Sql.column(connection, "SELECT attrelid FROM svc_views.pg_attribute"))
                    .doesNotContainAnyElementsOf(neighbours);
            assertThat(Sql.column(connection, "SELECT typrelid FROM svc_views.pg_type WHERE typrelid <> 0"))
                    .doesNotContainAnyElementsOf(neighbours);
        }
    }

    /** A right to change a whole relation is a right to LOCK it, a view with all that it reads: those of the platform are shared. */
    @ParameterizedTest
    @FieldSource("LOGINS")
    void nothingThatProjectsShareCanBeLocked(String login) throws Exception {
        try (Connection superuser = HardenedServer.superuser();
                Connection connection = HardenedServer.A.login(login)) {
            List<String> shared = Sql.column(
                    superuser,
                    "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                            + " WHERE n.nspname LIKE 'svc\\_%' AND c.relkind IN ('r', 'v', 'm', 'p') ORDER BY 1");
            assertThat(shared).hasSizeGreaterThan(100);
            for (String relation : shared) {
                for (String mode : List.of("ROW SHARE", "SHARE", "ACCESS EXCLUSIVE")) {
                    assertThat(Sql.state(
                                    connection, "DO 'BEGIN LOCK TABLE " + relation + " IN " + mode + " MODE; END'"))
                            .as(relation + " " + mode)
                            .isEqualTo("42501");
                }
            }
        }
    }

    private static List<String> relations(String schemas) throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            return Sql.column(
                    superuser,
                    "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n"
                            + " ON n.oid = c.relnamespace WHERE n.nspname IN ('" + schemas
                            + "') AND c.relkind IN ('r', 'v') ORDER BY 1");
        }
    }
}
