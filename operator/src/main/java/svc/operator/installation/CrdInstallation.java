package svc.operator.installation;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.concurrent.TimeUnit;
import svc.crds.CrdCatalog;
import svc.operator.kubernetes.Labels;

/**
 * Installs the three kinds, when {@code svc.crds.apply} asks for it. Returns only once the API serves them: an informer
 * that starts before would stop the operator.
 */
public final class CrdInstallation {
    private static final int SERVED_WITHIN_SECONDS = 30;

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
        client.resource(kind).waitUntilCondition(CrdInstallation::isServed, SERVED_WITHIN_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Whether objects of the kind can be made. A definition has no conditions at all at first: they come with a later write
     * of the server.
     *
     * @param kind as the server has it; null while it has none
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
