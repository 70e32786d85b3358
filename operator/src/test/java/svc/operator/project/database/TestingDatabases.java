package svc.operator.project.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import svc.database.key.LoginSecret;
import svc.database.key.MasterKey;
import svc.database.key.MasterKeys;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.platform.Holder;
import svc.database.platform.Placement;
import svc.database.platform.PlatformSchema;
import svc.database.platform.ProjectRecord;
import svc.database.platform.ProjectRegistry;
import svc.database.project.companion.Companion;
import svc.embedded.postgres.EmbeddedPostgres;

/** A platform database and a shared one on a real server, with the objects that every project expects to find. */
public final class TestingDatabases {
    private static final MasterKeys KEYS = MasterKeys.of(List.of(MasterKey.of(1, new byte[32])));

    private final EmbeddedPostgres server;
    private final String platformName;
    private final String sharedName;
    private final DataSource platform;
    private final DataSource shared;

    private TestingDatabases(EmbeddedPostgres server) {
        this.server = server;
        this.platformName = server.createDatabase("platform");
        this.sharedName = server.createDatabase("shared");
        this.platform = pool(server, platformName);
        PlatformSchema.migrate(platform);
        prepare(sharedName);
        this.shared = pool(server, sharedName);
    }

    /** Pooled as in production: opening a connection costs several times what checking a project does. */
    private static DataSource pool(EmbeddedPostgres server, String database) {
        try {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(pool -> pool.maxSize(10)
                            .connectionFactoryConfiguration(factory -> factory.jdbcUrl(server.jdbcUrl(database))
                                    .principal(new NamePrincipal(EmbeddedPostgres.OPERATOR))
                                    .credential(new SimplePassword(server.operatorPassword())))));
        } catch (SQLException e) {
            throw new IllegalStateException("while opening a pool on " + database, e);
        }
    }

    public static TestingDatabases create() {
        return new TestingDatabases(EmbeddedPostgres.shared());
    }

    public static TestingDatabases on(EmbeddedPostgres server) {
        return new TestingDatabases(server);
    }

    /** A project that no other test uses, held by a resource of this name. */
    public static ProvisionRequest request(String name, TestingDatabases databases) {
        UUID id = UUID.randomUUID();
        return request(id, "r" + id.toString().substring(0, 7), new Holder("tests", name), databases);
    }

    public static ProvisionRequest request(UUID id, String ref, Holder holder, TestingDatabases databases) {
        return ProvisionRequest.of(id, ref, holder, new Placement.Shared(List.of(databases.sharedName)));
    }

    public PostgresProjectDatabase projects() {
        return new PostgresProjectDatabase(registry(), directory(), KEYS);
    }

    PostgresProjectDatabase projects(Companion companion, StepRunner runner) {
        return new PostgresProjectDatabase(registry(), directory(), KEYS, companion, runner);
    }

    public ProjectRegistry registry() {
        return new ProjectRegistry(platform, new SecureRandom());
    }

    public DatabaseDirectory directory() {
        return name -> name.equals(sharedName) ? Optional.of(shared) : Optional.empty();
    }

    public EmbeddedPostgres server() {
        return server;
    }

    public String platformName() {
        return platformName;
    }

    public String sharedName() {
        return sharedName;
    }

    public static MasterKeys keys() {
        return KEYS;
    }

    /** Logs in as one of the project's roles, with the password that a pod would derive. */
    public Connection login(ProjectRecord project, DatabaseRole role) throws SQLException {
        String password = LoginSecret.of(
                        KEYS.newest().root(Purpose.ofLogin(role).orElseThrow()).leaf(project.keyScope(1)))
                .password();
        return server.connect(project.databaseName(), project.names().role(role).name(), password);
    }

    /** Runs SQL as the superuser, as somebody with the rights to do harm would. */
    public void asOperator(String sql) {
        try (Connection connection = server.connect(sharedName)) {
            execute(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException("while running: " + sql, e);
        }
    }

    public static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of every row. */
    public static List<String> query(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }

    /** Names of what is left of a project on the server. */
    public List<String> rolesAndSchemasOf(ProjectRecord project) {
        String pattern = "'" + project.names().schemaName() + "%'";
        try (Connection connection = server.connect(project.databaseName())) {
            return query(
                    connection,
                    "SELECT rolname FROM pg_roles WHERE rolname LIKE " + pattern
                            + " UNION ALL SELECT nspname FROM pg_namespace WHERE nspname LIKE " + pattern);
        } catch (SQLException e) {
            throw new IllegalStateException("while looking for " + pattern, e);
        }
    }

    private void prepare(String database) {
        asOperator("""
                DO $$BEGIN
                    IF to_regrole('svc_companion') IS NULL THEN CREATE ROLE svc_companion NOLOGIN; END IF;
                EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
                END$$;
                CREATE SCHEMA extensions;
                CREATE SCHEMA svc_views;
                """, database);
    }

    private void asOperator(String sql, String database) {
        try (Connection connection = server.connect(database)) {
            execute(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException("while preparing " + database, e);
        }
    }
}
