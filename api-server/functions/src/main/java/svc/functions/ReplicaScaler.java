package svc.functions;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.context.ApplicationScoped;
import svc.functions.FunctionRoute.Key;
import svc.platform.workload.DeploymentScale;

/** Sets the number of a function's processes with compare-and-set. Blocks. */
@ApplicationScoped
class ReplicaScaler {
    private final DeploymentScale scale;

    ReplicaScaler(KubernetesClient kubernetes) {
        this.scale = new DeploymentScale(kubernetes);
    }

    /**
     * Returns whether the number was changed; it is not if it differs from {@code from}.
     *
     * @throws KubernetesClientException if the Kubernetes API fails or is unreachable
     */
    boolean change(Key key, int from, int to) {
        return scale.change(key.namespace(), key.object(), from, to);
    }
}
