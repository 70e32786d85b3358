package svc.operator.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.agroal.api.AgroalDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.loop.ProjectLoop;
import svc.database.loop.ProjectRunner;
import svc.database.loop.RunnerSettings;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/**
 * Promise: a tenant that locks what a loop of the operator needs, or whose state makes its SQL fail, delays no neighbour. The
 * locks are held until the neighbour is served.
 */
class HostileLoopsTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final TestingDatabases DATABASES = TestingDatabases.create();

    /** As many as a serial loop could not pass in the limit. */
    private static final int HELD_PROJECTS = 12;

    private static final int HELD_TABLES = 600;

    private final List<Connection> open = new ArrayList<>();
    private AgroalDataSource pool;
    private ProjectRunner runner;
    private DatabaseLogin login;

    @BeforeEach
    void start() {
        EmbeddedPostgres server = DATABASES.server();
        login = new DatabaseLogin(
                "main",
                server.jdbcUrl(DATABASES.sharedName()),
                EmbeddedPostgres.OPERATOR,
                server::operatorPassword,
                10);
        pool = ConnectionPool.open(login);
        runner = new ProjectRunner("test", RunnerSettings.of(4, 2, Duration.ofSeconds(10)));
    }

    @AfterEach
    void end() throws SQLException {
        runner.close();
        pool.close();
        for (Connection connection : open) {
            connection.close();
        }
    }

    @Test
    void everyLoopOfTheOperatorIsTriedHere() {
        assertThat(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("svc.operator").stream()
                                .filter(type -> type.isAssignableTo(ProjectLoop.class))
                                .map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrder("ServiceProvisioner", "PublicationReconciler");
    }

    @Test
    void aNeighbourGetsItsServiceTables() throws SQLException {
        for (int i = 0; i < HELD_PROJECTS; i++) {
            ProjectRecord held = project();
            transaction(held, "SELECT FROM S_auth.users");
            request(held);
        }
        ProjectRecord damaged = project();
        DATABASES.asOperator(of(damaged, "CREATE VIEW S_auth.identities AS SELECT 1 AS a"));
        request(damaged);
        ProjectRecord neighbour = project();
        request(neighbour);

        new ServiceProvisioner(
                        login,
                        pool,
                        runner,
                        request -> DATABASES.serviceTables().complete(request.projectId(), request.service()))
                .start();

        awaitTrue("SELECT to_regclass('S_auth.sessions') IS NOT NULL", neighbour);
    }

    @Test
    void aNeighboursTableIsPublished() throws SQLException {
        ProjectRecord held = project();
        List<String> tables =
                IntStream.range(0, HELD_TABLES).mapToObj(i -> "t" + i).toList();
        try (Connection owner = DATABASES.login(held, DatabaseRole.OWNER)) {
            TestingDatabases.execute(
                    owner,
                    tables.stream()
                            .map(table -> "CREATE TABLE " + table + " (id int PRIMARY KEY)")
                            .collect(Collectors.joining(";")));
            publish(owner, String.join(",", tables));
        }
        transaction(held, "LOCK TABLE " + String.join(", ", tables) + " IN SHARE MODE");
        ProjectRecord damaged = project();
        try (Connection owner = DATABASES.login(damaged, DatabaseRole.OWNER)) {
            TestingDatabases.execute(owner, "CREATE TABLE gone (id int PRIMARY KEY)");
            publish(owner, "gone");
        }
        DATABASES.asOperator(of(damaged, """
                CREATE FUNCTION public.refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() c WHERE c.object_identity LIKE '%gone%') THEN
                        RAISE EXCEPTION 'not this one'; END IF; END $$;
                CREATE EVENT TRIGGER refuse ON ddl_command_end WHEN TAG IN ('ALTER PUBLICATION')
                    EXECUTE FUNCTION public.refuse()"""));
        ProjectRecord neighbour = project();
        try (Connection owner = DATABASES.login(neighbour, DatabaseRole.OWNER)) {
            TestingDatabases.execute(owner, "CREATE TABLE mine (id int PRIMARY KEY)");
            publish(owner, "mine");
        }

        new PublicationReconciler("test", pool, runner).start();

        awaitTrue(
                "SELECT EXISTS (SELECT FROM pg_publication_tables WHERE pubname = 'svc_realtime' AND schemaname = 'S')",
                neighbour);
        assertThat(ask("SELECT count(*) FROM pg_publication_tables WHERE schemaname = 'S'", held))
                .isEqualTo("0");
    }

    /** Keeps the transaction open until the end of the test. */
    private void transaction(ProjectRecord project, String sql) throws SQLException {
        Connection owner = DATABASES.login(project, DatabaseRole.OWNER);
        open.add(owner);
        TestingDatabases.execute(owner, "SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0");
        owner.setAutoCommit(false);
        TestingDatabases.execute(owner, of(project, sql));
    }

    private static void publish(Connection owner, String tables) throws SQLException {
        TestingDatabases.execute(owner, "CALL svc_statements.publish('ADD', 'supabase_realtime', '{" + tables + "}')");
    }

    private static void request(ProjectRecord project) throws SQLException {
        try (Connection services = DATABASES.login(project, DatabaseRole.SYSTEM)) {
            TestingDatabases.execute(services, "SELECT svc_statements.request_service('auth')");
        }
    }

    private static ProjectRecord project() {
        return ((Provisioned) DATABASES.projects().provision(TestingDatabases.request("looping", DATABASES))).project();
    }

    private static String of(ProjectRecord project, String sql) {
        String schema = project.names().schemaName();
        return sql.replaceAll("\\bS_", schema + "_").replace("'S'", "'" + schema + "'");
    }

    private static String ask(String question, ProjectRecord project) throws SQLException {
        try (Connection operator = DATABASES.server().connect(DATABASES.sharedName())) {
            return TestingDatabases.query(operator, of(project, question)).getFirst();
        }
    }

    private static void awaitTrue(String question, ProjectRecord project) {
        Awaitility.await(question)
                .atMost(LIMIT)
                .until(() -> ask(question, project).equals("t"));
    }
}
