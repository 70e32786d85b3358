package svc.operator.testing;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.UUID;
import svc.operator.installation.CrdInstallation;

/** The one Kubernetes API of this JVM, with the three kinds; each test works in namespaces of its own. */
public final class TestingApi {
    private TestingApi() {}

    public static TestingCluster cluster() {
        return Shared.CLUSTER;
    }

    /** Of an admin. The operator has one of its own, with the operator's rights. */
    public static KubernetesClient client() {
        return Shared.CLIENT;
    }

    /** Creates a namespace for one test. */
    public static String namespace() {
        String name = name("t");
        client().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        return name;
    }

    /** A name that no other test uses, for the resources of tests that share a namespace. */
    public static String name(String prefix) {
        return prefix + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    private static final class Shared {
        private static final TestingCluster CLUSTER = TestingCluster.chosen();
        private static final KubernetesClient CLIENT = withKinds();

        private static KubernetesClient withKinds() {
            KubernetesClient client = TestingCluster.connect(CLUSTER.adminConfig());
            CrdInstallation.apply(client);
            CLUSTER.kindsInstalled(client);
            return client;
        }
    }
}
