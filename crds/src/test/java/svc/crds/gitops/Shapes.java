package svc.crds.gitops;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;

/** The shapes that a resource of ours has in its life. */
enum Shapes {
    NEW("metadata: {generation: 1}"),
    FIRST_LOOK("""
            metadata: {generation: 1}
            status:
              observedGeneration: 1
              conditions:
                - {type: Ready, status: Unknown, reason: ClusterStarting, message: The cluster is not ready yet}"""),
    READY("""
            metadata: {generation: 2}
            status:
              observedGeneration: 2
              conditions: [{type: Ready, status: "True", reason: AllConditionsTrue, message: ""}]"""),
    CHANGED("""
            metadata: {generation: 3}
            status:
              observedGeneration: 2
              conditions: [{type: Ready, status: "True", reason: AllConditionsTrue, message: ""}]"""),
    TROUBLED("""
            metadata: {generation: 2}
            status:
              observedGeneration: 2
              conditions:
                - {type: Ready, status: "False", reason: DatabaseUnreachable, message: The database cannot be reached.}"""),
    STALLED("""
            metadata: {generation: 2}
            status:
              observedGeneration: 2
              conditions:
                - {type: Ready, status: "False", reason: RefConflict, message: ref shop is held by another Project.}
                - {type: Stalled, status: "True", reason: RefConflict, message: ref shop is held by another Project.}"""),
    MENDED("""
            metadata: {generation: 3}
            status:
              observedGeneration: 2
              conditions:
                - {type: Ready, status: "False", reason: RefConflict, message: ref shop is held by another Project.}
                - {type: Stalled, status: "True", reason: RefConflict, message: ref shop is held by another Project.}"""),
    PAUSED("""
            metadata: {generation: 2}
            status:
              observedGeneration: 1
              conditions:
                - {type: Ready, status: "True", reason: AllConditionsTrue, message: ""}
                - {type: ReconciliationPaused, status: "True", reason: Paused, message: As asked; nothing is touched.}"""),
    SUSPENDED("""
            metadata: {generation: 2}
            status:
              observedGeneration: 2
              conditions:
                - {type: Ready, status: "True", reason: AllConditionsTrue, message: ""}
                - {type: Suspended, status: "True", reason: Suspended, message: The services are stopped.}"""),
    BUNDLE_PENDING("""
            metadata: {generation: 1}
            status:
              observedGeneration: 1
              conditions:
                - {type: Ready, status: Unknown, reason: BundlePending, message: The source is not bundled yet.}
                - {type: BundleReady, status: Unknown, reason: BundlePending, message: The source is not bundled yet.}"""),
    BUNDLE_FAILED("""
            metadata: {generation: 1}
            status:
              observedGeneration: 1
              conditions:
                - {type: Ready, status: "False", reason: BundleFailed, message: "index.ts:1:7: unexpected token"}
                - {type: Stalled, status: "True", reason: BundleFailed, message: "index.ts:1:7: unexpected token"}"""),
    PROJECT_AWAITED("""
            metadata: {generation: 1}
            status:
              observedGeneration: 1
              conditions:
                - {type: Ready, status: Unknown, reason: ProjectNotReady, message: The Project is not provisioned yet.}"""),
    PROJECT_SUSPENDED("""
            metadata: {generation: 1}
            status:
              observedGeneration: 1
              conditions:
                - {type: Ready, status: "False", reason: ProjectSuspended, message: The Project is suspended.}"""),
    FUNCTIONS_DISABLED("""
            metadata: {generation: 1}
            status:
              observedGeneration: 1
              conditions:
                - {type: Ready, status: "False", reason: FunctionsDisabled, message: The Project has no functions.}"""),
    DELETED("""
            metadata: {generation: 3, deletionTimestamp: "2026-01-01T00:00:00Z"}
            status:
              observedGeneration: 2
              conditions:
                - {type: Ready, status: "False", reason: DeletionBlocked, message: The deletion waits}
                - {type: DatabaseReady, status: "False", reason: DeletionBlocked, message: The deletion waits}""");

    private final String yaml;

    Shapes(String yaml) {
        this.yaml = yaml;
    }

    JsonNode object() {
        return new KubernetesSerialization().unmarshal("---\n" + yaml, JsonNode.class);
    }

    Map<?, ?> map() {
        return new KubernetesSerialization().unmarshal("---\n" + yaml, Map.class);
    }
}
