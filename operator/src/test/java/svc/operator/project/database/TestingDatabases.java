package svc.operator.project.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.exceptionsorter.PostgreSQLExceptionSorter;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
import svc.database.shared.HardeningSettings;
import svc.database.shared.SharedDatabaseHardening;
import svc.embedded.postgres.EmbeddedPostgres;

/** A platform database and a shared one on a real server, prepared as in production. */
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
        harden(server, sharedName);
        this.shared = pool(server, sharedName);
    }

    /** Pooled as in production: opening a connection costs several times what checking a project does. */
    private static DataSource pool(EmbeddedPostgres server, String database) {
        try {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(pool -> pool.maxSize(10)
                            .exceptionSorter(new PostgreSQLExceptionSorter())
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

    public PostgresProjectProvisioner projects() {
        return new PostgresProjectProvisioner(registry(), directory(), KEYS);
    }

    public PostgresProjectProvisioner projects(Companion companion, StepRunner runner) {
        return new PostgresProjectProvisioner(registry(), directory(), KEYS, services -> companion, runner);
    }

    public ServiceTables serviceTables() {
        return new ServiceTables(registry(), directory());
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

    /** Runs SQL as the superuser, to cause damage. */
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

    /** As production does. The databases of tests that ran before stay open to their logins. */
    private static void harden(EmbeddedPostgres server, String database) {
        try (Connection connection = server.connect(database)) {
            Set<String> others = Set.copyOf(
                    query(connection, "SELECT datname FROM pg_catalog.pg_database WHERE datname LIKE 'shared\\_%'"));
            Map<String, String> verifiers = new HashMap<>();
            Map<String, Purpose> logins = Map.of(
                    "svc_catalog", Purpose.LOGIN_CATALOG,
                    "svc_replication", Purpose.LOGIN_REPLICATION,
                    "svc_platform", Purpose.LOGIN_PLATFORM,
                    "svc_extensions", Purpose.LOGIN_EXTENSIONS);
            logins.forEach((login, purpose) -> verifiers.put(
                    login,
                    LoginSecret.of(KEYS.newest().root(purpose).platformLeaf(1)).scramVerifier()));
            new SharedDatabaseHardening()
                    .apply(connection, new HardeningSettings("svc_tests", verifiers, others, Optional.empty()));
        } catch (SQLException e) {
            throw new IllegalStateException("while preparing " + database, e);
        }
    }
}
