package svc.operator.project.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.operator.testing.TestingOperator.has;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.ProjectCondition;
import svc.operator.observe.Observation.DriftRepaired;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.UnreliableApi;

/** What is removed by hand is back within the drift interval, without any event from Kubernetes. */
class DriftComesBackTest {
    private final UnreliableApi faults = new UnreliableApi();
    private TestingOperator operator;
    private String schema;

    @BeforeEach
    void aReadyProject() {
        operator = TestingOperator.prepared().start(faults);
        operator.create("shop");
        schema = operator.ready("shop").getStatus().schema();
    }

    @AfterEach
    void stop() {
        operator.close();
        faults.close();
    }

    @Test
    void aDroppedSchemaIsBackAndReportedOnce() {
        operator.sql("DROP SCHEMA " + schema + " CASCADE");

        await().atMost(TestingOperator.LIMIT)
                .until(() -> operator.query("SELECT 1 FROM pg_namespace WHERE nspname = '" + schema + "'") != null);

        operator.awaitEvent("shop", "DriftRepaired");
        assertThat(operator.events("shop")).containsExactly("Provisioned", "DriftRepaired");
        // Observed after the API's response, which may be later than the Event is readable.
        await().atMost(TestingOperator.LIMIT)
                .until(() -> operator.observations().stream().anyMatch(DriftRepaired.class::isInstance));
        assertThat(operator.get("shop").isReady()).isTrue();
    }

    @Test
    void anAlteredPasswordIsBack() {
        String login = schema + "_api";
        String before = verifier(login);
        operator.sql("ALTER ROLE " + login + " PASSWORD 'somebody else''s'");

        await().atMost(TestingOperator.LIMIT).until(() -> verifier(login).equals(before));
    }

    /** The failure of the first attempt sets the status to this spec, so that the second one is not a change of it. */
    @Test
    void aRepairThatNeedsASecondAttemptIsReportedAsARepair() throws Exception {
        try (Connection dropping = operator.connect();
                Connection holding = operator.connect()) {
            dropping.setAutoCommit(false);
            execute(dropping, "DROP SCHEMA " + schema + " CASCADE");
            holding.setAutoCommit(false);
            // No schema can be created as soon as this one is gone. The drop no longer locks the catalog.
            execute(holding, "LOCK TABLE pg_namespace IN SHARE MODE");
            dropping.commit();
            operator.await("shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "DatabaseBusy"));
            holding.rollback();
        }

        operator.ready("shop");
        operator.awaitEvent("shop", "DriftRepaired");
        operator.awaitEvent("shop", "Recovered");
        assertThat(operator.events("shop"))
                .containsSubsequence("Provisioned", "DatabaseBusy", "DriftRepaired", "Recovered")
                .doesNotContain("Updated");
        assertThat(operator.client()
                        .v1()
                        .events()
                        .inNamespace(operator.namespace())
                        .list()
                        .getItems())
                .filteredOn(event -> event.getReason().equals("DriftRepaired"))
                .singleElement()
                .satisfies(event ->
                        assertThat(event.getMessage()).contains("after an attempt that failed (DatabaseBusy)"));
    }

    /** The second attempt finds nothing to repair. */
    @Test
    void aRepairAfterWhichTheApiFailsIsReportedToo() {
        operator.edit("shop", spec -> spec.keysSecret("keys"));
        operator.await(
                "shop",
                project ->
                        project.isReady() && "keys".equals(project.getStatus().secretName()));
        faults.answer(
                403,
                request -> request.method().equals("POST")
                        && request.uri().getPath().endsWith("/secrets"));
        operator.client()
                .secrets()
                .inNamespace(operator.namespace())
                .withName("keys")
                .delete();
        operator.await("shop", has(ProjectCondition.KEYS_READY, ConditionStatus.FALSE, "KubernetesForbidden"));

        operator.sql("DROP SCHEMA " + schema + " CASCADE");

        operator.awaitEvent("shop", "DriftRepaired");
        faults.answerNothing();
        operator.ready("shop");
        assertThat(operator.events("shop")).containsOnlyOnce("DriftRepaired").doesNotContain("Updated");
    }

    private static void execute(Connection connection, String statement) throws SQLException {
        try (var executed = connection.createStatement()) {
            executed.execute(statement);
        }
    }

    private String verifier(String login) {
        return operator.query("SELECT rolpassword FROM pg_authid WHERE rolname = '" + login + "'");
    }
}
