package svc.operator.project.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.testing.TestingOperator.condition;
import static svc.operator.testing.TestingOperator.has;

import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.ProjectCondition;
import svc.crds.project.database.DatabaseMode;
import svc.crds.project.database.DatabaseSpec;
import svc.crds.project.service.RestSpec;
import svc.operator.testing.TestingOperator;

/** Promise: a spec that cannot be provisioned is refused with a message that says what to do, and the Project can be deleted. */
class RefusedSpecTest {
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
    void rolesThatANewClusterCannotHave() {
        var cluster = Serialization.unmarshal(
                "mode: Dedicated\ndedicated: {cluster: {storage: {size: 1Gi}}}", DatabaseSpec.class);
        var rest = Serialization.unmarshal("anonRole: anon", RestSpec.class);
        operator.create("shop", spec -> spec.database(cluster).rest(rest));

        var project =
                operator.await("shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "NothingToAdopt"));

        assertThat(project.isFailed()).isTrue();
        assertThat(condition(project, ProjectCondition.DATABASE_READY).message())
                .contains("connectionSecretRef");
        operator.at("shop").delete();
        operator.awaitGone("shop");
    }

    @Test
    void aSharedDatabaseThatIsNotConfigured() {
        operator.create("shop", spec -> spec.database(new DatabaseSpec(DatabaseMode.SHARED, "elsewhere", null)));

        operator.await("shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "DatabaseMissing"));

        assertThat(operator.query("SELECT 1 FROM pg_database WHERE datname = 'elsewhere'"))
                .isNull();
        operator.at("shop").delete();
        operator.awaitGone("shop");
    }
}
