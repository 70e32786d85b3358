package svc.functions;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import jakarta.enterprise.context.ApplicationScoped;
import org.jboss.logging.Logger;
import svc.functions.FunctionRoute.Key;

/**
 * Sets the number of a function's processes with compare-and-set: of several instances that decide at once one
 * succeeds, and the others do nothing. Blocks.
 */
@ApplicationScoped
class ReplicaScaler {
    private static final Logger LOG = Logger.getLogger(ReplicaScaler.class);

    /** The operator's server-side apply omits the field, so this field manager keeps it. */
    private static final String MANAGER = "svc-scaling";

    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;
    private static final int NOT_FOUND = 404;

    private final KubernetesClient kubernetes;

    ReplicaScaler(KubernetesClient kubernetes) {
        this.kubernetes = kubernetes;
    }

    /**
     * Returns whether the number was changed; it is not if it differs from {@code from}.
     *
     * @throws KubernetesClientException if the Kubernetes API fails or is unreachable
     */
    boolean change(Key key, int from, int to) {
        String path = "\"path\":\"/spec/replicas\",\"value\":";
        try {
            kubernetes
                    .resource(named(key))
                    .patch(
                            new PatchContext.Builder()
                                    .withPatchType(PatchType.JSON)
                                    .withFieldManager(MANAGER)
                                    .build(),
                            "[{\"op\":\"test\"," + path + from + "},{\"op\":\"replace\"," + path + to + "}]");
            LOG.debugf("%s/%s: %d instead of %d processes", key.namespace(), key.object(), to, from);
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == CONFLICT || e.getCode() == UNPROCESSABLE || e.getCode() == NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    /** Given a name alone, the client would read the object first, which the data plane may not. */
    private static Deployment named(Key key) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(key.object())
                .endMetadata()
                .build();
    }
}
