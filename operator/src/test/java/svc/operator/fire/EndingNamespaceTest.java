package svc.operator.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import svc.crds.function.EdgeFunction;
import svc.crds.project.Project;
import svc.crds.secret.FunctionSecret;
import svc.operator.function.TestingFunctions;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingOperator;

/**
 * Promise: a namespace may be deleted while the operator works in it. Nothing keeps it from ending, the data of its projects
 * is kept as their policy says, and other namespaces are served as before.
 */
class EndingNamespaceTest {
    private static final List<String> NAMES =
            IntStream.range(0, 10).mapToObj(number -> "shop-" + number).toList();

    private static final List<Class<? extends HasMetadata>> KINDS = List.of(
            EdgeFunction.class,
            Deployment.class,
            Secret.class,
            Project.class,
            FunctionSecret.class,
            Service.class,
            NetworkPolicy.class);

    @Test
    void itEndsAndTheOthersGoOn() {
        String other = TestingApi.namespace();
        try (var operator = TestingOperator.prepared().alsoWatching(other).start()) {
            var functions = new TestingFunctions(operator);
            for (String name : NAMES) {
                operator.create(name, spec -> spec.keysSecret(name + "-keys"));
                functions.create(name, name, "hello", TestingFunctions.FIRST);
                functions.value(name + "-value", "v", Map.of());
                functions.secret(name, name, "hello", "WORD", name + "-value");
            }
            operator.ready(NAMES.getFirst());

            operator.client().namespaces().withName(operator.namespace()).delete();

            // What the controller of namespaces does, which these clusters may not have.
            KINDS.forEach(kind -> operator.client()
                    .resources(kind)
                    .inNamespace(operator.namespace())
                    .delete());
            Awaitility.await("nothing is left in the namespace")
                    .atMost(TestingOperator.LIMIT)
                    .until(() -> KINDS.stream()
                            .allMatch(kind -> operator.client()
                                    .resources(kind)
                                    .inNamespace(operator.namespace())
                                    .list()
                                    .getItems()
                                    .isEmpty()));
            assertThat(Integer.parseInt(operator.query("SELECT count(*) FROM svc_platform.project WHERE namespace = '"
                            + operator.namespace() + "'")))
                    .as("kept, as their policy is Retain")
                    .isPositive();
            operator.create(other, "neighbour", spec -> spec);
            operator.await(other, "neighbour", project -> project.isReady());
        }
    }
}
