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

/** The number of processes changes by compare-and-set, with the permissions of config/rbac/data-plane.yaml. */
class ReplicaScalerTest {
    private static final FunctionRoute.Key FUNCTION = new FunctionRoute.Key("default", "fn-hello");

    @Test
    void oneIsStartedWithThatOneRequestAndOnlyFromTheNumberThatWasSeen() throws Exception {
        List<String> methods = new CopyOnWriteArrayList<>();
        try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
                KubernetesClient admin = new KubernetesClientBuilder()
                        .withConfig(kubernetes.clientConfig())
                        .build();
                KubernetesClient gateway = new KubernetesClientBuilder()
                        .withConfig(kubernetes.clientConfig())
                        .withHttpClientBuilderConsumer(
                                builder -> builder.addOrReplaceInterceptor("methods", new Recorder(methods)))
                        .build()) {
            admin.resource(sleeping()).create();
            var scaling = new ReplicaScaler(gateway);

            assertThat(scaling.change(FUNCTION, 0, 1)).isTrue();
            // The current number was not read: the data plane may only patch Deployments.
            assertThat(methods).containsExactly("PATCH");
            assertThat(scaling.change(FUNCTION, 0, 2)).isFalse();
            assertThat(admin.resource(sleeping()).get().getSpec().getReplicas()).isEqualTo(1);
        }
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

    private record Recorder(List<String> methods) implements Interceptor {
        @Override
        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            methods.add(request.method());
        }
    }
}
