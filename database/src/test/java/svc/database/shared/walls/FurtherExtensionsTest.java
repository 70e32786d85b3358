package svc.database.shared.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.database.shared.HardenedServer;
import svc.database.shared.HardeningReport;
import svc.database.shared.HardeningSettings;
import svc.database.shared.SharedDatabaseHardening;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;
import svc.embedded.postgres.EmbeddedPostgres;

/**
 * An extension that an administrator allows is installed for all projects, with its dangerous functions closed. The server of
 * the tests has no PostGIS: the extension cube gets members with the names of what PostGIS has.
 */
class FurtherExtensionsTest {
    private static final HardeningSettings SETTINGS = HardenedServer.SETTINGS.withFurtherExtensions(Set.of("cube"));

    private static EmbeddedPostgres server;
    private static String database;
    private static HardeningReport first;

    @BeforeAll
    static void install() throws SQLException {
        server = EmbeddedPostgres.start(EmbeddedPostgres.Settings.forTests());
        database = server.createDatabase("shared");
        first = harden();
        try (Connection superuser = server.connect(database)) {
            Sql.run(superuser, """
                    CREATE TABLE extensions.spatial_ref_sys (srid int PRIMARY KEY, proj4text text);
                    INSERT INTO extensions.spatial_ref_sys VALUES (4326, '+proj=longlat');
                    GRANT SELECT ON extensions.spatial_ref_sys TO PUBLIC;
                    CREATE VIEW extensions.geometry_columns AS SELECT relname FROM pg_class;
                    GRANT SELECT ON extensions.geometry_columns TO PUBLIC;
                    CREATE FUNCTION extensions.st_estimatedextent(text, text) RETURNS text LANGUAGE sql AS 'SELECT $1';
                    CREATE FUNCTION extensions.postgis_transform_geometry(text, text) RETURNS text LANGUAGE sql
                        AS 'SELECT $1';
                    CREATE FUNCTION extensions._postgis_stats(regclass) RETURNS text LANGUAGE sql AS 'SELECT NULL::text';
                    CREATE FUNCTION extensions.st_area(text) RETURNS float8 LANGUAGE sql AS 'SELECT 1.0::float8';
                    ALTER EXTENSION cube ADD TABLE extensions.spatial_ref_sys;
                    ALTER EXTENSION cube ADD VIEW extensions.geometry_columns;
                    ALTER EXTENSION cube ADD FUNCTION extensions.st_estimatedextent(text, text);
                    ALTER EXTENSION cube ADD FUNCTION extensions.postgis_transform_geometry(text, text);
                    ALTER EXTENSION cube ADD FUNCTION extensions._postgis_stats(regclass);
                    ALTER EXTENSION cube ADD FUNCTION extensions.st_area(text);
                    """);
        }
        harden();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HardeningReport harden() throws SQLException {
        try (Connection superuser = server.connect(database)) {
            return new SharedDatabaseHardening().apply(superuser, SETTINGS);
        }
    }

    @Test
    void itIsInstalledWhereItIsAllowedOnly() throws SQLException {
        assertThat(first.changes()).anyMatch(change -> change.name().equals("extension cube"));
        assertThat(harden().changes()).isEmpty();
        try (Connection elsewhere = HardenedServer.superuser()) {
            assertThat(Sql.column(elsewhere, "SELECT extname FROM pg_extension WHERE extname = 'cube'"))
                    .isEmpty();
        }
    }

    @Test
    void projectsUseItsTypesAndFunctions() throws SQLException {
        Tenant tenant = HardenedServer.newTenant(server, database);
        try (Connection owner = tenant.owner()) {
            Sql.run(
                    owner,
                    tenant.fill("CREATE TABLE $S.boxes (at extensions.cube);"
                            + " INSERT INTO $S.boxes VALUES ('(1,2),(3,4)');"
                            + " CREATE INDEX ON $S.boxes USING gist (at extensions.gist_cube_ops)"));
            assertThat(Sql.value(owner, tenant.fill("SELECT extensions.cube_dim(at) FROM $S.boxes")))
                    .isEqualTo("2");
            assertThat(Sql.value(owner, "SELECT extensions.st_area('x')")).isEqualTo("1");
        }
    }

    @Test
    void whatReachesTablesOfOthersOrFilesIsClosed() throws SQLException {
        Tenant tenant = HardenedServer.newTenant(server, database);
        for (String login : Tenant.LOGINS) {
            try (Connection connection = tenant.login(login)) {
                for (String call : List.of(
                        "extensions.st_estimatedextent('1259', 'oid')",
                        "extensions.postgis_transform_geometry('x', '+nadgrids=/etc/passwd')",
                        "extensions._postgis_stats(1259)",
                        "count(*) FROM extensions.geometry_columns")) {
                    assertThat(Sql.state(connection, "SELECT " + call))
                            .as(login + " " + call)
                            .isEqualTo("42501");
                }
            }
        }
    }

    /** All projects read the same rows. */
    @Test
    void itsTablesCannotBeWritten() throws SQLException {
        Tenant tenant = HardenedServer.newTenant(server, database);
        for (String login : Tenant.LOGINS) {
            try (Connection connection = tenant.login(login)) {
                assertThat(Sql.value(connection, "SELECT proj4text FROM extensions.spatial_ref_sys WHERE srid = 4326"))
                        .isEqualTo("+proj=longlat");
                for (String write : List.of(
                        "UPDATE extensions.spatial_ref_sys SET proj4text = '+nadgrids=/etc/passwd'",
                        "INSERT INTO extensions.spatial_ref_sys VALUES (1, '')",
                        "DELETE FROM extensions.spatial_ref_sys",
                        "TRUNCATE extensions.spatial_ref_sys",
                        "DROP TABLE extensions.spatial_ref_sys",
                        "CREATE TRIGGER t BEFORE INSERT ON extensions.spatial_ref_sys EXECUTE FUNCTION suppress_redundant_updates_trigger()")) {
                    assertThat(Sql.state(connection, write))
                            .as(login + " " + write)
                            .isEqualTo("42501");
                }
            }
        }
    }

    @Test
    void whatIsNotInstalledSaysWhoInstallsIt() throws SQLException {
        Tenant tenant = HardenedServer.newTenant(server, database);
        try (Connection owner = tenant.owner()) {
            Sql.run(owner, "CALL svc_statements.require_extension('cube')");
            assertThat(Sql.state(owner, "CALL svc_statements.require_extension('postgis')"))
                    .isEqualTo("0A000");
        }
    }
}
