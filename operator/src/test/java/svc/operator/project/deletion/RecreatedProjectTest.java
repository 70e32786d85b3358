package svc.operator.project.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.Project;
import svc.operator.project.ProjectFinalizer;
import svc.operator.testing.ProcessFault;
import svc.operator.testing.TestingOperator;

/**
 * Promise: a Project that is created right after the deletion of one with the same name is reconciled like any other, even if
 * the API's response to the removal of the first one's finalizer is late. With a slow disk of the API, watches report a change
 * before its writer gets the response.
 */
class RecreatedProjectTest {
    private final ProcessFault fault = ProcessFault.lives();
    private TestingOperator operator;

    @BeforeEach
    void start() {
        operator = TestingOperator.prepared().start(fault);
        operator.create("shop");
        operator.ready("shop");
    }

    @AfterEach
    void stop() {
        fault.answerAll();
        operator.close();
    }

    @Test
    void itBecomesReadyWhenTheAnswerComesWhileItIsMarked() throws Exception {
        deleted();
        operator.create("shop");
        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .until(() -> operator.get("shop").getMetadata().getFinalizers().contains(ProjectFinalizer.NAME));

        fault.answer();
        // The end of the delayed cleanup is not observable; the successor's own response comes after it.
        Thread.sleep(300);
        fault.answerAll();

        operator.ready("shop");
    }

    @Test
    void itIsKeptInOrderWhenTheAnswerComesLast() throws Exception {
        deleted();
        fault.holdNoFurther();
        operator.create("shop");
        String schema = operator.ready("shop").getStatus().schema();

        fault.answerAll();
        Thread.sleep(300);
        operator.sql("DROP SCHEMA " + schema + " CASCADE");

        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .until(() -> operator.query("SELECT 1 FROM pg_namespace WHERE nspname = '" + schema + "'") != null);
    }

    @Test
    void aRemovalThatIsSentTwiceTakesNoMarkOffIt() {
        Project first = operator.get("shop");
        operator.at("shop").delete();
        operator.awaitGone("shop");
        operator.create("shop");
        operator.ready("shop");

        ProjectFinalizer.remove(operator.client(), first);

        assertThat(operator.get("shop").getMetadata().getFinalizers()).containsExactly(ProjectFinalizer.NAME);
    }

    @Test
    void anothersMarkIsNotTakenForOurs() {
        operator.stop();
        mark(List.of("others.example.com/first", ProjectFinalizer.NAME, "others.example.com/second"));
        Project seen = operator.get("shop");
        mark(List.of(ProjectFinalizer.NAME, "others.example.com/second"));

        ProjectFinalizer.remove(operator.client(), seen);

        assertThat(operator.get("shop").getMetadata().getFinalizers()).containsExactly("others.example.com/second");
        mark(List.of());
    }

    /** With the answer to that still on its way. */
    private void deleted() {
        fault.holdAnswers("/apis/svc.platform/v1alpha1/namespaces/" + operator.namespace() + "/projects/shop");
        operator.at("shop").delete();
        operator.awaitGone("shop");
    }

    private void mark(List<String> finalizers) {
        operator.at("shop").edit(project -> {
            project.getMetadata().setFinalizers(finalizers);
            return project;
        });
    }
}
