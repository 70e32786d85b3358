package svc.operator.testing;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import svc.embedded.cluster.ServiceAccountToken;

/** The ServiceAccount and the rights that {@code config/rbac/operator.yaml} gives the operator. */
public final class OperatorAccount {
    public static final Path MANIFEST = Path.of("..", "config", "rbac", "operator.yaml");
    public static final String NAMESPACE = "svc-system";

    private OperatorAccount() {}

    static String install(KubernetesClient admin) {
        return ServiceAccountToken.install(admin, MANIFEST, NAMESPACE, "svc-operator");
    }
}
