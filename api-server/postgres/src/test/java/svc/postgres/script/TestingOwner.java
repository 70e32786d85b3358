package svc.postgres.script;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.postgresql.Driver;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.database.project.ProjectLayout;
import svc.database.project.ProjectPlan;
import svc.database.project.ProjectTarget;
import svc.database.project.RoleSettings;
import svc.database.project.SqlBlock;
import svc.database.project.SqlStep;
import svc.database.project.companion.Companion;
import svc.database.project.companion.CompanionSchema;
import svc.database.shared.HardeningSettings;
import svc.database.shared.SharedDatabaseHardening;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.testing.TestingKeys;

/**
 * A project laid out by the operator's own plan in a hardened database, and its owner's login. The server is one of its
 * own, because hardening one database closes the server's others.
 */
public final class TestingOwner {
    public static final EmbeddedPostgres SERVER = start();
    public static final String DATABASE = SERVER.createDatabase("shared");

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close, "stop-hardened-postgres"));
        try (Connection superuser = SERVER.connect(DATABASE)) {
            new SharedDatabaseHardening()
                    .apply(superuser, HardeningSettings.of(TestingKeys.channel(), TestingKeys.platformVerifiers()));
        } catch (SQLException e) {
            throw new IllegalStateException("while hardening the test database", e);
        }
    }

    /** The login that ends sessions. */
    public static PlatformLogin platformLogin() {
        return new PlatformLogin(
                "svc_platform",
                () -> TestingKeys.platformLogin(Purpose.LOGIN_PLATFORM).password());
    }

    private static EmbeddedPostgres start() {
        // The driver is known to the class loader that loaded it first only, and tests of Quarkus have one of their
        // own.
        if (!Driver.isRegistered()) {
            throw new IllegalStateException("the driver registers itself when it is loaded");
        }
        return EmbeddedPostgres.start(EmbeddedPostgres.Settings.forTests());
    }

    private final ProjectNames names;
    private final ProjectLayout lean;
    private final String password;
    private final String verifier;

    private TestingOwner(UUID projectId) {
        this.names = ProjectNames.shared(projectId);
        var scope = new ProjectKeyScope(projectId, TestingKeys.INCARNATION, 1);
        Map<DatabaseRole, String> verifiers = TestingKeys.verifiers(scope);
        this.password =
                TestingKeys.login(scope, DatabaseRole.OWNER).orElseThrow().password();
        this.verifier = verifiers.get(DatabaseRole.OWNER);
        var target = new ProjectTarget(names, verifiers, RoleSettings.defaults(), Companion.current());
        this.lean = ProjectLayout.desired(target);
        run(ProjectPlan.of(lean, Set.of()).steps());
    }

    private void run(List<SqlStep> steps) {
        asOperator("SET search_path = pg_catalog; " + SqlBlock.of(steps).sql().sql());
    }

    /** Creates the tables of the auth service, as the operator does at first use. */
    public void completeAuth() {
        complete(CompanionSchema.AUTH);
    }

    /** Creates what a service needs, as the operator does at first use. */
    public void complete(CompanionSchema service) {
        run(ProjectLayout.completing(names, Companion.using(Set.of(service)), lean.facts()));
    }

    /** A new project. */
    public static TestingOwner create() {
        return new TestingOwner(UUID.randomUUID());
    }

    /** The project of this id, as the operator of the tests says that it is. */
    public static TestingOwner of(UUID projectId) {
        return new TestingOwner(projectId);
    }

    public ProjectNames names() {
        return names;
    }

    public String jdbcUrl() {
        return SERVER.jdbcUrl(DATABASE);
    }

    public String login() {
        return names.role(DatabaseRole.OWNER).name();
    }

    public String password() {
        return password;
    }

    /** With which scripts of the project run. */
    public OwnerLogin ownerLogin() {
        return ownerLogin(login());
    }

    /** The same in an organisation. */
    public OwnerLogin ownerLogin(String organization) {
        return new OwnerLogin(jdbcUrl(), login(), password, Server.PLATFORM, Optional.of(verifier), organization);
    }

    /** Runs SQL as the superuser. */
    public void asOperator(String sql) {
        try (Connection operator = SERVER.connect(DATABASE);
                Statement statement = operator.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("while preparing " + names.schemaName(), e);
        }
    }

    /** The first value of a query, as the superuser sees it; null for no row. */
    public String ask(String sql) {
        try (Connection operator = SERVER.connect(DATABASE);
                Statement statement = operator.createStatement();
                var result = statement.executeQuery(sql)) {
            return result.next() ? result.getString(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException("while asking about " + names.schemaName(), e);
        }
    }
}
