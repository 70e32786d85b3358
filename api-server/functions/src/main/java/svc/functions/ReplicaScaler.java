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
 * Changes how many processes a function has, each time only from the number that the decision was made for: of several
 * instances that decide at once one succeeds, and the others find that somebody was faster. Blocks.
 */
@ApplicationScoped
class ReplicaScaler {
    private static final Logger LOG = Logger.getLogger(ReplicaScaler.class);

    /** The operator's apply does not name the field, so it stays as whoever scales has left it. */
    private static final String MANAGER = "svc-scaling";

    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;
    private static final int NOT_FOUND = 404;

    private final KubernetesClient kubernetes;

    ReplicaScaler(KubernetesClient kubernetes) {
        this.kubernetes = kubernetes;
    }

    /**
     * Returns whether it was done; nothing is done when there are not {@code from} now.
     *
     * @throws KubernetesClientException when the Kubernetes API does not answer or refuses
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

    /** By its name alone the client would first read the object, which the data plane has no right to. */
    private static Deployment named(Key key) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(key.object())
                .endMetadata()
                .build();
    }
}
