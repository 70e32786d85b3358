package svc.operator.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.Project;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingOperator;

/** Promise: the operator follows a Kubernetes API that goes and comes again, without a restart of its own. */
class ApiAwayTest {
    private static final List<String> NAMES =
            IntStream.range(0, 20).mapToObj(number -> "shop-" + number).toList();

    private TestingOperator operator;

    @BeforeEach
    void start() {
        assumeTrue(TestingApi.cluster().isOurs(), "a cluster that others use is not stopped");
        operator = TestingOperator.prepared().start();
    }

    @AfterEach
    void stop() {
        if (operator != null) {
            operator.close();
        }
    }

    @Test
    void whileItProvisions() {
        NAMES.forEach(operator::create);
        Awaitility.await().atMost(TestingOperator.LIMIT).until(() -> ready() > 0);

        TestingApi.cluster().interrupt();
        TestingApi.cluster().resume();

        NAMES.forEach(operator::ready);
        assertThat(operator.query("SELECT count(*) FROM svc_platform.project WHERE companion_version > 0"))
                .isEqualTo(String.valueOf(NAMES.size()));
    }

    @Test
    void whatChangesAfterwardsIsSeen() {
        operator.create("shop");
        operator.ready("shop");

        TestingApi.cluster().interrupt();
        TestingApi.cluster().resume();

        operator.edit("shop", spec -> spec.keysSecret("shop-keys"));
        operator.create("another");
        operator.await(
                "shop",
                project -> project.isReady()
                        && "shop-keys".equals(project.getStatus().secretName()));
        operator.ready("another");
    }

    private long ready() {
        return operator.client().resources(Project.class).inNamespace(operator.namespace()).list().getItems().stream()
                .filter(Project::isReady)
                .count();
    }
}
