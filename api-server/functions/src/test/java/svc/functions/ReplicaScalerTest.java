package svc.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.EmbeddedKubernetes;

/**
 * The number of processes changes by compare-and-set, through the scale subresource alone: the right to patch a
 * Deployment is the right to run any image with any Secret of its namespace.
 */
class ReplicaScalerTest {
    private static final FunctionRoute.Key FUNCTION = new FunctionRoute.Key("default", "fn-hello");
    private static final String SCALE = "/apis/apps/v1/namespaces/default/deployments/fn-hello/scale";

    private final List<String> requests = new CopyOnWriteArrayList<>();

    /** Runs once after the first request, before the second. */
    private Runnable inBetween = () -> {};

    @Test
    void onlyTheScaleIsReadAndWrittenAndOnlyFromTheNumberThatWasSeen() throws Exception {
        try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
                KubernetesClient admin = admin(kubernetes);
                KubernetesClient gateway = gateway(kubernetes)) {
            admin.resource(sleeping()).create();
            var scaling = new ReplicaScaler(gateway);

            assertThat(scaling.change(FUNCTION, 0, 1)).isTrue();
            assertThat(requests).containsExactly("GET " + SCALE, "PATCH " + SCALE);
            assertThat(scaling.change(FUNCTION, 0, 2)).isFalse();
            assertThat(replicas(admin)).isEqualTo(1);
            assertThat(scaling.change(FUNCTION, 1, 0)).isTrue();
            assertThat(replicas(admin)).isZero();
            // The image is still the operator's.
            assertThat(admin.resource(sleeping())
                            .get()
                            .getSpec()
                            .getTemplate()
                            .getSpec()
                            .getContainers()
                            .getFirst()
                            .getImage())
                    .isEqualTo("function");
            assertThat(requests).allSatisfy(request -> assertThat(request).endsWith(SCALE));
        }
    }

    @Test
    void ofTwoThatSawTheSameNumberOneChangesIt() throws Exception {
        try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
                KubernetesClient admin = admin(kubernetes);
                KubernetesClient gateway = gateway(kubernetes)) {
            admin.resource(sleeping()).create();
            inBetween = () -> admin.resource(sleeping()).scale(3);

            assertThat(new ReplicaScaler(gateway).change(FUNCTION, 0, 1)).isFalse();
            assertThat(replicas(admin)).isEqualTo(3);
        }
    }

    @Test
    void aFunctionThatIsGoneIsNotScaled() throws Exception {
        try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
                KubernetesClient gateway = gateway(kubernetes)) {
            assertThat(new ReplicaScaler(gateway).change(FUNCTION, 0, 1)).isFalse();
        }
    }

    private static KubernetesClient admin(EmbeddedKubernetes kubernetes) {
        return new KubernetesClientBuilder()
                .withConfig(kubernetes.clientConfig())
                .build();
    }

    private KubernetesClient gateway(EmbeddedKubernetes kubernetes) {
        return new KubernetesClientBuilder()
                .withConfig(kubernetes.clientConfig())
                .withHttpClientBuilderConsumer(builder -> builder.addOrReplaceInterceptor("requests", new Recorder()))
                .build();
    }

    private static int replicas(KubernetesClient admin) {
        return admin.resource(sleeping()).get().getSpec().getReplicas();
    }

    private static Deployment sleeping() {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(FUNCTION.namespace())
                .withName(FUNCTION.object())
                .endMetadata()
                .withNewSpec()
                .withReplicas(0)
                .withNewSelector()
                .addToMatchLabels("app", "hello")
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", "hello")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("function")
                .withImage("function")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private final class Recorder implements Interceptor {
        @Override
        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            if (!requests.isEmpty()) {
                inBetween.run();
                inBetween = () -> {};
            }
            requests.add(request.method() + " " + request.uri().getPath());
        }
    }
}
