package svc.operator.installation;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.concurrent.TimeUnit;
import svc.crds.CrdCatalog;
import svc.operator.kubernetes.Labels;

/**
 * Installs the custom resource definitions when {@code svc.crds.apply} is set. Returns only once the API serves them: an
 * informer that starts earlier would stop the operator.
 */
public final class CrdInstallation {
    private static final int ESTABLISHED_TIMEOUT_SECONDS = 30;

    private CrdInstallation() {}

    public static void apply(KubernetesClient client) {
        CrdCatalog.load().all().forEach(kind -> apply(client, kind));
    }

    private static void apply(KubernetesClient client, CustomResourceDefinition kind) {
        client.resource(kind)
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager(Labels.OPERATOR)
                        .withForce(true)
                        .build());
        client.resource(kind)
                .waitUntilCondition(CrdInstallation::isServed, ESTABLISHED_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Whether objects of the kind can be created. A new definition has no conditions: the server adds them later.
     *
     * @param kind as read from the server; null when it does not exist
     */
    public static boolean isServed(CustomResourceDefinition kind) {
        return kind != null
                && kind.getStatus() != null
                && kind.getStatus().getConditions() != null
                && kind.getStatus().getConditions().stream()
                        .anyMatch(condition ->
                                "Established".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }
}
