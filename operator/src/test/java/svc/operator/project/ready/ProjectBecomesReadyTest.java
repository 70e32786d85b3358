package svc.operator.project.ready;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.condition.Condition;
import svc.crds.condition.ConditionTypes;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectIdentity;
import svc.operator.project.ProjectFinalizer;
import svc.operator.testing.TestingOperator;

/** A manifest with nothing but a name becomes a project. */
class ProjectBecomesReadyTest {
    private TestingOperator operator;

    @BeforeEach
    void start() {
        operator = TestingOperator.prepared().start();
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void everythingAClientNeedsIsInTheStatus() {
        operator.create("shop");

        Project project = operator.ready("shop");

        ProjectIdentity identity = ProjectIdentity.of(project);
        var status = project.getStatus();
        String address = "https://" + identity.ref() + ".data.example";
        assertThat(status.ref()).isEqualTo(identity.ref()).hasSize(8);
        assertThat(status.schema())
                .isEqualTo("proj_" + identity.projectId().toString().replace("-", ""));
        assertThat(status.url()).isEqualTo(address);
        assertThat(status.restUrl()).isEqualTo(address + "/rest/v1");
        assertThat(status.realtimeUrl()).isEqualTo(address.replace("https", "wss") + "/realtime/v1");
        assertThat(status.anonKey()).startsWith("svc_anon_");
        assertThat(status.keys().service().version()).isEqualTo(1);
        assertThat(status.database().name()).isEqualTo("main");
        assertThat(status.secretName()).isNull();
        assertThat(status.toString()).doesNotContain("svc_service_");
    }

    @Test
    void allConditionsAreTrueForThisGeneration() {
        operator.create("shop");

        Project project = operator.ready("shop");

        assertThat(project.getStatus().conditions())
                .extracting(Condition::type)
                .containsExactlyInAnyOrder(
                        ConditionTypes.READY,
                        ProjectCondition.CLAIMED,
                        ProjectCondition.DATABASE_READY,
                        ProjectCondition.KEYS_READY);
        assertThat(project.getStatus().conditions())
                .extracting(Condition::reason)
                .containsExactlyInAnyOrder("AllConditionsTrue", "ClaimHeld", "Provisioned", "KeysIssued");
        assertThat(project.getStatus().conditions())
                .allMatch(Condition::isTrue)
                .allMatch(condition -> condition
                        .observedGeneration()
                        .equals(project.getMetadata().getGeneration()));
        assertThat(project.getMetadata().getFinalizers()).containsExactly(ProjectFinalizer.NAME);
    }

    @Test
    void theSchemaIsInTheDatabaseAndOneEventTellsOfIt() {
        operator.create("shop");

        String schema = operator.ready("shop").getStatus().schema();

        assertThat(operator.query("SELECT count(*) FROM pg_namespace WHERE nspname LIKE '" + schema + "%'"))
                .isEqualTo("4");
        operator.awaitEvent("shop", "Provisioned");
        assertThat(operator.events("shop")).containsExactly("Provisioned");
    }

    @Test
    void oneOfAnOlderVersionIsUpgradedAndTheEventSaysSo() {
        operator.create("shop");
        String schema = operator.ready("shop").getStatus().schema();
        operator.stop();
        operator.sql("DROP SCHEMA " + schema + " CASCADE");
        operator.sql("UPDATE svc_platform.project SET companion_version = companion_version - 1");

        operator.start();

        operator.awaitEvent("shop", "Upgraded");
        assertThat(operator.events("shop")).containsExactly("Provisioned", "Upgraded");
    }
}
