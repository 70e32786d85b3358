package svc.operator.project.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.operator.testing.TestingOperator;

/** Whatever was under way or went by while no operator ran, the next one brings to its end. */
class OperatorStoppedMidwayTest {
    private static final List<String> NAMES =
            IntStream.range(0, 30).mapToObj(number -> "shop-" + number).toList();

    private TestingOperator operator;

    @BeforeEach
    void make() {
        operator = TestingOperator.prepared().with("svc.operator.termination-timeout", "0s");
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void stoppedAgainAndAgainWhileItProvisions() {
        operator.start();
        NAMES.forEach(operator::create);
        for (int stops = 0; stops < 3; stops++) {
            int ready = readyNow();
            if (ready < NAMES.size()) {
                Awaitility.await().atMost(TestingOperator.LIMIT).until(() -> readyNow() > ready);
            }
            operator.stop();
            operator.start();
        }

        NAMES.forEach(operator::ready);

        assertThat(operator.query("SELECT count(*) FROM svc_platform.project WHERE companion_version > 0"))
                .isEqualTo(String.valueOf(NAMES.size()));
    }

    @Test
    void eventsThatTheOperatorMissed() {
        operator.start();
        operator.create("edited");
        operator.create("deleted", spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
        operator.ready("edited");
        String dropped = operator.ready("deleted").getStatus().schema();
        operator.stop();

        operator.edit("edited", spec -> spec.keysSecret("its-keys"));
        operator.at("deleted").delete();
        operator.create("made");
        operator.start();

        operator.ready("edited");
        operator.ready("made");
        operator.awaitGone("deleted");
        assertThat(operator.client()
                        .secrets()
                        .inNamespace(operator.namespace())
                        .withName("its-keys")
                        .get())
                .isNotNull();
        assertThat(operator.query("SELECT 1 FROM pg_namespace WHERE nspname = '" + dropped + "'"))
                .isNull();
    }

    private int readyNow() {
        return (int)
                operator.client().resources(Project.class).inNamespace(operator.namespace()).list().getItems().stream()
                        .filter(Project::isReady)
                        .count();
    }
}
