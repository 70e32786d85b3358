package svc.testing;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import svc.database.key.Incarnation;
import svc.database.key.LoginSecret;
import svc.database.key.MasterKey;
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
import svc.platform.config.ApiConfig;
import svc.platform.config.LoginRoots;
import svc.platform.config.PurposeRoots;
import svc.platform.config.ServerRole;
import svc.platform.tenancy.RestSettings;
import svc.platform.tenancy.Tenant;

/** A shared database with projects laid out as the operator does, for tests of the data plane. */
public final class TestingProjects {
    public static final EmbeddedPostgres SERVER = EmbeddedPostgres.shared();

    private static final SecureRandom RANDOM = new SecureRandom();

    private final MasterKey master = TestingKeys.master();
    private final String database;

    private TestingProjects(String database) {
        this.database = database;
    }

    /** A hardened database of its own on the server that all tests share. */
    public static TestingProjects create() {
        return new TestingProjects(SERVER.createDatabase("tenants", Hardened.TEMPLATE));
    }

    /** The same with the whole catalog readable, so that a test can inspect its session. */
    public static TestingProjects createWithOpenCatalogs() {
        TestingProjects projects = create();
        projects.asOperator("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pg_catalog TO PUBLIC;"
                + "GRANT SELECT ON ALL TABLES IN SCHEMA pg_catalog TO PUBLIC");
        return projects;
    }

    public String database() {
        return database;
    }

    public LoginRoots roots() {
        return (purpose, version) -> master.root(purpose);
    }

    public String platformPassword(Purpose purpose) {
        return TestingKeys.platformLogin(purpose).password();
    }

    public String channel() {
        return TestingKeys.channel();
    }

    /** Creates a project with all its roles and schemas. */
    public Tenant project(String ref) {
        byte[] incarnation = new byte[Incarnation.BYTES];
        RANDOM.nextBytes(incarnation);
        ProjectNames names = ProjectNames.shared(UUID.randomUUID());
        var scope = new ProjectKeyScope(names.projectId(), Incarnation.of(incarnation), 1);
        take(ProjectPlan.of(lean(names, scope), Set.of()).steps());
        return new Tenant(
                ref,
                names,
                scope,
                1,
                Map.of(),
                new Tenant.DatabaseAddress(database, SERVER.jdbcUrl(database)),
                "default",
                "http://" + ref + ".localhost/rest/v1",
                RestSettings.defaults());
    }

    private ProjectLayout lean(ProjectNames names, ProjectKeyScope scope) {
        return ProjectLayout.desired(
                new ProjectTarget(names, TestingKeys.verifiers(scope), RoleSettings.defaults(), Companion.current()));
    }

    private void take(List<SqlStep> steps) {
        try (Connection operator = SERVER.connect(database);
                Statement statement = operator.createStatement()) {
            statement.execute("SET search_path = pg_catalog");
            statement.execute(SqlBlock.of(steps).sql().sql());
        } catch (SQLException e) {
            throw new IllegalStateException("while laying out a project", e);
        }
    }

    /** Creates the tables of the auth service, as the operator does at first use. */
    public void completeAuth(Tenant tenant) {
        complete(tenant, CompanionSchema.AUTH);
    }

    /** Creates what a service needs, as the operator does at first use. */
    public void complete(Tenant tenant, CompanionSchema service) {
        take(ProjectLayout.completing(
                tenant.names(),
                Companion.using(Set.of(service)),
                lean(tenant.names(), tenant.scope()).facts()));
    }

    /** The root keys of a data-plane process. */
    public PurposeRoots purposeRoots() {
        return PurposeRoots.of(Set.of(ServerRole.DATA), new ApiConfig.Keys() {
            @Override
            public Map<Integer, String> master() {
                return Map.of(1, TestingKeys.encoded());
            }

            @Override
            public Optional<List<String>> roots() {
                return Optional.empty();
            }
        });
    }

    /** Rotates a login's password to another key version. */
    public void setPassword(Tenant tenant, DatabaseRole role, int keyVersion) {
        Purpose purpose = Purpose.ofLogin(role).orElseThrow();
        String verifier = LoginSecret.of(
                        master.root(purpose).leaf(tenant.scope().withKeyVersion(keyVersion)))
                .scramVerifier();
        asOperator("ALTER ROLE " + tenant.names().role(role).sql() + " PASSWORD '" + verifier + "'");
    }

    /** Runs SQL as the project's owner, as the SQL endpoint does. */
    public void asOwner(Tenant tenant, String sql) {
        String password =
                LoginSecret.of(master.root(Purpose.OWNER).leaf(tenant.scope())).password();
        try (Connection owner = SERVER.connect(
                        database, tenant.names().role(DatabaseRole.OWNER).name(), password);
                Statement statement = owner.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("while running SQL of the owner: " + e.getMessage(), e);
        }
    }

    /** The password of a login of a project. */
    public String password(Tenant tenant, DatabaseRole role) {
        return LoginSecret.of(master.root(Purpose.ofLogin(role).orElseThrow()).leaf(tenant.scope()))
                .password();
    }

    /** Runs SQL as the superuser. */
    public void asOperator(String sql) {
        try (Connection operator = SERVER.connect(database);
                Statement statement = operator.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("while running SQL of the operator: " + e.getMessage(), e);
        }
    }

    /** The first column of the first row, as text. */
    public String ask(String sql) {
        try (Connection operator = SERVER.connect(database);
                Statement statement = operator.createStatement();
                var result = statement.executeQuery(sql)) {
            return result.next() ? result.getString(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException("while asking the operator: " + e.getMessage(), e);
        }
    }

    /** Hardened once: that takes seconds, a copy of the database tenths of a second. */
    private static final class Hardened {
        private static final String TEMPLATE = create();

        private static String create() {
            String name = SERVER.createDatabase("hardened");
            try (Connection operator = SERVER.connect(name)) {
                new SharedDatabaseHardening()
                        .apply(operator, HardeningSettings.of(TestingKeys.channel(), TestingKeys.platformVerifiers()));
            } catch (SQLException e) {
                throw new IllegalStateException("while hardening the template database", e);
            }
            return name;
        }
    }
}
