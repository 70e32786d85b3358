package svc.operator.project.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.operator.observe.Observation.DriftRepaired;
import svc.operator.testing.TestingOperator;

/** What is removed by hand is back within the drift interval, without any event from Kubernetes. */
class DriftComesBackTest {
    private TestingOperator operator;
    private String schema;

    @BeforeEach
    void aReadyProject() {
        operator = TestingOperator.prepared().start();
        operator.create("shop");
        schema = operator.ready("shop").getStatus().schema();
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void aDroppedSchemaIsBackAndToldOfOnce() {
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

    private String verifier(String login) {
        return operator.query("SELECT rolpassword FROM pg_authid WHERE rolname = '" + login + "'");
    }
}
