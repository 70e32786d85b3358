package svc.operator.watch.quarantine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static svc.operator.testing.TestingOperator.condition;
import static svc.operator.testing.TestingOperator.has;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.condition.ConditionTypes;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectIdentity;
import svc.database.key.Incarnation;
import svc.database.key.LoginSecret;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.operator.observe.Observation.WatchActed;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;

/**
 * Promise: a project that goes on and on beyond a limit is quarantined. Its logins are closed, its data is kept, Project and log
 * say why, and pausing and restoring it opens it again. Its neighbours notice nothing.
 */
class QuarantineTest {
    /** More locks than one project may hold, kept until the end. */
    private static final String FILL = """
            DO $$ BEGIN
                FOR i IN 1..40000 LOOP
                    BEGIN PERFORM nextval((2000000000 + i)::oid::regclass); EXCEPTION WHEN OTHERS THEN NULL; END;
                END LOOP;
                PERFORM pg_sleep(40);
            END $$""";

    private TestingOperator operator;

    @BeforeEach
    void start() {
        operator = TestingOperator.prepared()
                .with("svc.watch.strikes", "2")
                // Nothing but the watch itself may trigger what is awaited.
                .with("svc.operator.drift-interval", "1h")
                .start()
                .withBackgroundWork();
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void aProjectIsClosedKeptAndComesBackByPausingAndRestoringIt() throws Exception {
        operator.create("hoarder");
        operator.create("neighbour");
        Project hoarder = operator.ready("hoarder");
        Project neighbour = operator.ready("neighbour");
        run(hoarder, "CREATE TABLE t (id int); INSERT INTO t VALUES (42)");

        assertThat(failure(hoarder, FILL)).isEqualTo("57P01");
        assertThat(failure(hoarder, FILL)).isEqualTo("57P01");

        Project closed =
                operator.await("hoarder", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "Quarantined"));
        assertThat(condition(closed, ConditionTypes.READY).reason()).isEqualTo("Quarantined");
        assertThat(condition(closed, ConditionTypes.READY).message()).contains("locks", "spec.suspend");
        assertThat(condition(closed, ProjectCondition.STALLED).isTrue()).isTrue();
        assertThatThrownBy(() -> login(hoarder).close())
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("log in");
        operator.awaitEvent("hoarder", "SessionTerminated");
        operator.awaitEvent("hoarder", "Quarantined");
        Awaitility.await("lines in the project's log")
                .atMost(TestingOperator.LIMIT)
                .until(() -> linesOf(hoarder) >= 3);
        assertThat(operator.observations())
                .anyMatch(
                        seen -> seen instanceof WatchActed acted && acted.step().equals("quarantine"));
        run(neighbour, "CREATE TABLE t (id int)");
        assertThat(operator.get("neighbour").isReady()).isTrue();
        assertThat(linesOf(neighbour)).isZero();

        operator.edit("hoarder", spec -> spec.suspend(true));
        operator.await("hoarder", has(ProjectCondition.SUSPENDED, ConditionStatus.TRUE, "Suspended"));
        operator.edit("hoarder", spec -> spec.suspend(false));

        operator.await(
                "hoarder", project -> project.isReady() && condition(project, ProjectCondition.SUSPENDED) == null);
        try (Connection connection = login(hoarder);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT id FROM t")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(42);
        }
    }

    @Test
    void reconciliationAndAnotherOperatorLeaveItClosed() throws Exception {
        operator.create("hoarder");
        Project hoarder = operator.ready("hoarder");
        assertThat(failure(hoarder, FILL)).isEqualTo("57P01");
        assertThat(failure(hoarder, FILL)).isEqualTo("57P01");
        operator.await("hoarder", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "Quarantined"));

        operator.stop();
        operator.start();
        operator.edit("hoarder", spec -> spec.name("renamed"));

        operator.await(
                "hoarder",
                project -> project.getMetadata()
                                .getGeneration()
                                .equals(project.getStatus().observedGeneration())
                        && condition(project, ProjectCondition.DATABASE_READY)
                                .reason()
                                .equals("Quarantined"));
        assertThatThrownBy(() -> login(hoarder).close())
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("log in");
    }

    private int linesOf(Project project) {
        UUID id = ProjectIdentity.of(project).projectId();
        return Integer.parseInt(
                operator.query("SELECT count(*) FROM svc_platform.project_log WHERE project_id = '" + id + "'"));
    }

    /** The SQLSTATE with which the script ends. */
    private String failure(Project project, String sql) {
        try {
            run(project, sql);
            return "";
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    private void run(Project project, String sql) throws SQLException {
        try (Connection connection = login(project);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** As the project's owner. */
    private Connection login(Project project) throws SQLException {
        String database = operator.query("SELECT current_database()");
        UUID id = ProjectIdentity.of(project).projectId();
        var incarnation = Incarnation.of(
                java.util.Base64.getUrlDecoder().decode(project.getStatus().incarnation()));
        String password = LoginSecret.of(TestingPostgres.masterKeys()
                        .newest()
                        .root(Purpose.ofLogin(DatabaseRole.OWNER).orElseThrow())
                        .leaf(new ProjectKeyScope(id, incarnation, 1)))
                .password();
        return TestingPostgres.server().connect(database, project.getStatus().schema() + "_owner", password);
    }
}
