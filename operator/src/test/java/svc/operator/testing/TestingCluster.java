package svc.operator.testing;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The Kubernetes API that the tests of this JVM run on: the embedded one, unless the system property {@value #CHOICE} names
 * the program that {@code e2e/kubernetes} builds, or the kubeconfig of a cluster.
 */
public interface TestingCluster extends AutoCloseable {
    String CHOICE = "testing.kubernetes";

    static TestingCluster chosen() {
        String choice = System.getProperty(CHOICE, "");
        if (choice.isEmpty()) {
            return new EmbeddedCluster();
        }
        Path file = Path.of(choice);
        return Files.isExecutable(file) ? new RealCluster(file) : new ForeignCluster(file);
    }

    /** A separate cluster without the CRDs, for an operator that watches all namespaces. Never the given cluster. */
    static TestingCluster another() {
        Path file = Path.of(System.getProperty(CHOICE, ""));
        return Files.isExecutable(file) && Files.isRegularFile(file) ? new RealCluster(file) : new EmbeddedCluster();
    }

    static KubernetesClient connect(Config config) {
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** A client whose requests meet that fault. */
    static KubernetesClient connect(Config config, Interceptor fault) {
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(client -> client.addOrReplaceInterceptor("fault", fault))
                .build();
    }

    /** Of a cluster admin. */
    Config adminConfig();

    /** Of the operator, with the rights of {@code config/rbac} where the API knows rights; after {@link #kindsInstalled}. */
    Config operatorConfig();

    /** Called once, with an admin's client, when the API serves the three kinds. */
    void kindsInstalled(KubernetesClient admin);

    /** Whether {@link #interrupt} can be had. */
    default boolean isOurs() {
        return true;
    }

    /** Takes the API away; what it acknowledged is there when {@link #resume} returns. */
    void interrupt();

    void resume();

    @Override
    void close();
}
