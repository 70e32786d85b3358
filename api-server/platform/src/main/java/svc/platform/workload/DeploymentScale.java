package svc.platform.workload;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * Sets the number of a Deployment's processes with compare-and-set: of several instances that decide at once one succeeds,
 * and the others do nothing. Uses the scale subresource alone: an account that may patch a Deployment may run any image with any
 * Secret of the namespace. Blocks.
 */
@Singleton
public final class DeploymentScale {
    private static final Logger LOG = Logger.getLogger(DeploymentScale.class);

    private static final String SCALE = "scale";

    /** The operator's server-side apply omits the field, so this field manager keeps it. */
    private static final PatchContext MERGE = new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager("svc-scaling")
            .build();

    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;

    private final KubernetesClient kubernetes;

    public DeploymentScale(KubernetesClient kubernetes) {
        this.kubernetes = kubernetes;
    }

    /**
     * Returns whether the number was changed; it is not if it differs from {@code from}.
     *
     * @throws KubernetesClientException if the Kubernetes API fails or is unreachable
     */
    public boolean change(String namespace, String name, int from, int to) {
        Deployment deployment = named(namespace, name);
        try {
            Scale seen = kubernetes.resource(deployment).scale();
            if (seen == null || replicas(seen) != from) {
                return false;
            }
            // A JSON patch that tests the number would spare the first request, but a Scale of 0 has no such field.
            kubernetes
                    .resource(deployment)
                    .subresource(SCALE)
                    .patch(
                            MERGE,
                            "{\"metadata\":{\"resourceVersion\":\"%s\"},\"spec\":{\"replicas\":%d}}"
                                    .formatted(seen.getMetadata().getResourceVersion(), to));
            LOG.debugf("%s/%s: %d instead of %d processes", namespace, name, to, from);
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == CONFLICT || e.getCode() == NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    /** Kubernetes omits the number 0. */
    private static int replicas(Scale scale) {
        return scale.getSpec() == null || scale.getSpec().getReplicas() == null
                ? 0
                : scale.getSpec().getReplicas();
    }

    /** Given a name alone, the client would read the Deployment first, which the data plane may not. */
    private static Deployment named(String namespace, String name) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .build();
    }
}
