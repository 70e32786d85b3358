package svc.operator.testing;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import svc.embedded.kubernetes.EmbeddedKubernetes;
import svc.operator.runtime.KindInstallation;

/** The one Kubernetes API of this JVM, with the three kinds; each test works in namespaces of its own. */
public final class TestingApi {
    private TestingApi() {}

    public static EmbeddedKubernetes server() {
        return Shared.SERVER;
    }

    public static KubernetesClient client() {
        return Shared.CLIENT;
    }

    /** Makes a namespace that nobody else uses. */
    public static String namespace() {
        String name = "t-" + UUID.randomUUID().toString().substring(0, 8);
        client().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        return name;
    }

    private static final class Shared {
        private static final EmbeddedKubernetes SERVER = start();
        private static final KubernetesClient CLIENT = connect();

        private static EmbeddedKubernetes start() {
            try {
                return EmbeddedKubernetes.start(EmbeddedKubernetes.Settings.inMemory());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static KubernetesClient connect() {
            var client = new KubernetesClientBuilder()
                    .withConfig(SERVER.clientConfig())
                    .build();
            KindInstallation.apply(client);
            return client;
        }
    }
}
