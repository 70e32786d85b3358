package svc.embedded.pods;

import java.util.List;
import svc.embedded.kubernetes.LocalObjects;

/** Writes the status of a function's pods to the Kubernetes API, where it has changed. */
final class PodStatusWriter {
    private final LocalObjects deployments;
    private final LocalObjects pods;
    private final LocalObjects slices;

    PodStatusWriter(LocalObjects deployments, LocalObjects pods, LocalObjects slices) {
        this.deployments = deployments;
        this.pods = pods;
        this.slices = slices;
    }

    /** Writes the EndpointSlice: the sockets that take requests. */
    void endpoints(DesiredPods desired, List<PodDocuments.PodState> ready) {
        if (exists(desired)) {
            slices.put(PodDocuments.endpointSlice(desired, ready));
        }
    }

    void pod(DesiredPods version, PodDocuments.PodState state) {
        if (!exists(version)) {
            return;
        }
        if (pods.find(version.namespace(), state.name()).isEmpty()) {
            pods.put(PodDocuments.pod(version, state.name()));
        }
        pods.putStatus(version.namespace(), state.name(), status -> PodDocuments.podStatus(state, status));
    }

    void gone(DesiredPods version, String name) {
        pods.delete(version.namespace(), name);
    }

    void deployment(DesiredPods desired, List<PodDocuments.PodState> live, List<String> current) {
        deployments.putStatus(
                desired.namespace(),
                desired.name(),
                status -> PodDocuments.deploymentStatus(desired, live, current, status));
    }

    /** An object of a deleted Deployment would be garbage collected at once. */
    private boolean exists(DesiredPods desired) {
        return deployments.find(desired.namespace(), desired.name()).isPresent();
    }
}
