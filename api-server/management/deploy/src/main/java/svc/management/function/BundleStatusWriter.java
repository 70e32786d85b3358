package svc.management.function;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.LinkedHashMap;
import java.util.Map;
import svc.crds.function.BundleStatus;
import svc.crds.function.EdgeFunction;

/**
 * Writes {@code status.bundle} of an EdgeFunction and no other field: the operator owns the rest of the status. Applied
 * as a document with only that field, because a whole status would take over, and empty, the operator's lists.
 */
@ApplicationScoped
class BundleStatusWriter {
    private static final String MANAGER = "svc-bundler";
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final KubernetesClient kubernetes;

    BundleStatusWriter(KubernetesClient kubernetes) {
        this.kubernetes = kubernetes;
    }

    /** @return false if the resource was changed since it was read, or is gone; the change triggers a retry */
    boolean write(EdgeFunction read, BundleStatus bundle) {
        Map<String, Object> content = new LinkedHashMap<>();
        put(content, "sourceHash", bundle.sourceHash());
        put(content, "contentHash", bundle.contentHash());
        put(content, "message", bundle.message());
        GenericKubernetesResource document = new GenericKubernetesResource();
        document.setApiVersion(read.getApiVersion());
        document.setKind(read.getKind());
        document.setMetadata(new ObjectMetaBuilder()
                .withNamespace(read.getMetadata().getNamespace())
                .withName(read.getMetadata().getName())
                .withUid(read.getMetadata().getUid())
                .withResourceVersion(read.getMetadata().getResourceVersion())
                .build());
        document.setAdditionalProperties(Map.of("status", Map.of("bundle", content)));
        try {
            kubernetes
                    .resource(document)
                    .subresource("status")
                    .patch(new PatchContext.Builder()
                            .withPatchType(PatchType.SERVER_SIDE_APPLY)
                            .withFieldManager(MANAGER)
                            .withForce(true)
                            .build());
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == CONFLICT || e.getCode() == NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private static void put(Map<String, Object> content, String name, String value) {
        if (value != null) {
            content.put(name, value);
        }
    }
}
