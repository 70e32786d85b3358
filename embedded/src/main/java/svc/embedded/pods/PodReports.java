package svc.embedded.pods;

import java.util.List;
import svc.embedded.kubernetes.LocalObjects;

/** Writes how a function's pods are into the Kubernetes API. What has not changed is not written. */
final class PodReports {
    private final LocalObjects deployments;
    private final LocalObjects pods;
    private final LocalObjects slices;

    PodReports(LocalObjects deployments, LocalObjects pods, LocalObjects slices) {
        this.deployments = deployments;
        this.pods = pods;
        this.slices = slices;
    }

    /** Where requests may be sent, for whoever routes them. */
    void endpoints(WantedPods wanted, List<PodDocuments.PodState> ready) {
        if (exists(wanted)) {
            slices.put(PodDocuments.endpointSlice(wanted, ready));
        }
    }

    void pod(WantedPods version, PodDocuments.PodState state) {
        if (!exists(version)) {
            return;
        }
        if (pods.find(version.namespace(), state.name()).isEmpty()) {
            pods.put(PodDocuments.pod(version, state.name()));
        }
        pods.putStatus(version.namespace(), state.name(), status -> PodDocuments.podStatus(state, status));
    }

    void gone(WantedPods version, String name) {
        pods.delete(version.namespace(), name);
    }

    void deployment(WantedPods wanted, List<PodDocuments.PodState> live, List<String> current) {
        deployments.putStatus(
                wanted.namespace(),
                wanted.name(),
                status -> PodDocuments.deploymentStatus(wanted, live, current, status));
    }

    /** What is owned by a Deployment that is gone would be collected at once. */
    private boolean exists(WantedPods wanted) {
        return deployments.find(wanted.namespace(), wanted.name()).isPresent();
    }
}
