package svc.api.db.owner;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
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
import svc.database.project.companion.Companion;
import svc.embedded.postgres.EmbeddedPostgres;

/** A project laid out by the operator's own plan in a database of the shared test server, and its owner's login. */
public final class TestingOwner {
    private static final EmbeddedPostgres SERVER = EmbeddedPostgres.shared();

    private final String database;
    private final ProjectNames names = ProjectNames.shared(UUID.randomUUID());
    private final String password;

    private TestingOwner(String database) {
        this.database = database;
        byte[] secret = new byte[32];
        Arrays.fill(secret, (byte) 9);
        MasterKey master = MasterKey.of(1, secret);
        var scope = new ProjectKeyScope(names.projectId(), Incarnation.of(secret), 1);
        Map<DatabaseRole, String> verifiers = new EnumMap<>(DatabaseRole.class);
        for (DatabaseRole role : DatabaseRole.values()) {
            Purpose.ofLogin(role)
                    .map(purpose -> LoginSecret.of(master.root(purpose).leaf(scope)))
                    .ifPresent(login -> verifiers.put(role, login.scramVerifier()));
        }
        this.password = LoginSecret.of(master.root(Purpose.OWNER).leaf(scope)).password();
        var target = new ProjectTarget(names, verifiers, RoleSettings.defaults(), Companion.current());
        asOperator("SET search_path = pg_catalog; "
                + SqlBlock.of(ProjectPlan.of(ProjectLayout.desired(target), Set.of())
                                .steps())
                        .sql()
                        .sql());
    }

    /** A project in a database of its own. */
    public static TestingOwner create() {
        String database = SERVER.createDatabase("owner");
        for (String statement : List.of(
                "DO $$ BEGIN CREATE ROLE svc_companion; EXCEPTION WHEN duplicate_object THEN END $$",
                "CREATE SCHEMA svc_views",
                "GRANT USAGE ON SCHEMA svc_views TO PUBLIC",
                "CREATE SCHEMA extensions")) {
            asOperator(database, statement);
        }
        return new TestingOwner(database);
    }

    /** Another project in the same database. */
    public TestingOwner neighbour() {
        return new TestingOwner(database);
    }

    public ProjectNames names() {
        return names;
    }

    public String jdbcUrl() {
        return SERVER.jdbcUrl(database);
    }

    public String login() {
        return names.role(DatabaseRole.OWNER).name();
    }

    public String password() {
        return password;
    }

    public void asOperator(String sql) {
        asOperator(database, sql);
    }

    private static void asOperator(String database, String sql) {
        try (Connection operator = SERVER.connect(database);
                Statement statement = operator.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("while preparing " + database, e);
        }
    }

    /** The first value of a query, as the superuser sees it. */
    public String ask(String sql) {
        try (Connection operator = SERVER.connect(database);
                Statement statement = operator.createStatement();
                var result = statement.executeQuery(sql)) {
            return result.next() ? result.getString(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException("while asking " + database, e);
        }
    }
}
