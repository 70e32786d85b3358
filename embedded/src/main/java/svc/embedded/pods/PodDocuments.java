package svc.embedded.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import svc.embedded.kubernetes.json.Json;

/** The status of a function's Deployment, Pods and EndpointSlice, as the controllers of Kubernetes would write it. Pure. */
final class PodDocuments {
    static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    static final String RUNNER = "svc-pod-runner";
    static final String SERVICE = "kubernetes.io/service-name";

    /** The port that a container would listen on; here a socket stands for it. */
    private static final int PORT = 8080;

    private PodDocuments() {}

    /**
     * The state of one pod.
     *
     * @param startedAt when its process started; empty while it has none
     * @param waiting why it has none, in Kubernetes' words; empty when it has
     * @param message what to do about it
     * @param last how its process before ended
     */
    record PodState(
            int number,
            String name,
            boolean ready,
            int restarts,
            Instant createdAt,
            Optional<Instant> startedAt,
            String waiting,
            String message,
            Optional<FunctionProcess.End> last) {}

    static ObjectNode pod(DesiredPods desired, String name) {
        ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = metadata(pod, desired, name);
        ObjectNode labels = metadata.putObject("labels");
        desired.labels().forEach(labels::put);
        labels.put(MANAGED_BY, RUNNER).put("pod-template-hash", desired.templateHash());
        ObjectNode spec = pod.putObject("spec").put("nodeName", "this-machine").put("restartPolicy", "Always");
        spec.putArray("containers")
                .addObject()
                .put("name", DesiredPods.CONTAINER)
                .put("image", desired.image());
        return pod;
    }

    static ObjectNode podStatus(PodState state, ObjectNode status) {
        boolean running = state.startedAt().isPresent();
        ObjectNode next = Json.object();
        next.put("phase", running || state.restarts() > 0 ? "Running" : "Pending");
        next.put("startTime", seconds(state.createdAt()));
        ArrayNode conditions = next.putArray("conditions");
        condition(conditions, status, "Initialized", true, "", "");
        condition(conditions, status, "ContainersReady", state.ready(), notReady(state), state.message());
        condition(conditions, status, "Ready", state.ready(), notReady(state), state.message());
        ObjectNode container = next.putArray("containerStatuses").addObject();
        container
                .put("name", DesiredPods.CONTAINER)
                .put("ready", state.ready())
                .put("started", running)
                .put("restartCount", state.restarts());
        ObjectNode now = container.putObject("state");
        if (running) {
            now.putObject("running").put("startedAt", seconds(state.startedAt().get()));
        } else {
            now.putObject("waiting").put("reason", state.waiting()).put("message", state.message());
        }
        ObjectNode before = container.putObject("lastState");
        state.last()
                .ifPresent(end -> before.putObject("terminated")
                        .put("exitCode", end.code())
                        .put("reason", end.reason()));
        return next;
    }

    static ObjectNode endpointSlice(DesiredPods desired, List<PodState> ready) {
        ObjectNode slice =
                Json.object().put("apiVersion", "discovery.k8s.io/v1").put("kind", "EndpointSlice");
        metadata(slice, desired, desired.name())
                .putObject("labels")
                .put(SERVICE, desired.name())
                .put("endpointslice.kubernetes.io/managed-by", RUNNER);
        slice.put("addressType", "FQDN");
        slice.putArray("ports")
                .addObject()
                .put("name", "http")
                .put("port", PORT)
                .put("protocol", "TCP");
        ArrayNode endpoints = slice.putArray("endpoints");
        for (PodState pod : ready) {
            ObjectNode endpoint = endpoints.addObject();
            endpoint.putArray("addresses").add(pod.number() + ".sock");
            endpoint.putObject("conditions")
                    .put("ready", true)
                    .put("serving", true)
                    .put("terminating", false);
            endpoint.putObject("targetRef")
                    .put("kind", "Pod")
                    .put("namespace", desired.namespace())
                    .put("name", pod.name());
        }
        return slice;
    }

    /**
     * The status of the Deployment.
     *
     * @param pods all that are not being stopped
     * @param current the names of those of the desired version
     */
    static ObjectNode deploymentStatus(
            DesiredPods desired, List<PodState> pods, List<String> current, ObjectNode status) {
        List<PodState> updated =
                pods.stream().filter(pod -> current.contains(pod.name())).toList();
        int ready = (int) pods.stream().filter(PodState::ready).count();
        boolean rolledOut = updated.size() == pods.size()
                && updated.stream().filter(PodState::ready).count() >= desired.replicas();
        ObjectNode next = Json.object().put("observedGeneration", desired.generation());
        next.put("replicas", pods.size()).put("updatedReplicas", updated.size());
        next.put("readyReplicas", ready).put("availableReplicas", ready);
        next.put("unavailableReplicas", Math.max(0, Math.max(desired.replicas(), pods.size()) - ready));
        ArrayNode conditions = next.putArray("conditions");
        boolean available = ready >= desired.replicas();
        condition(
                conditions,
                status,
                "Available",
                available,
                available ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                available ? "Deployment has minimum availability." : "Deployment does not have minimum availability.");
        Optional<PodState> failing = updated.stream()
                .filter(pod -> pod.last().isPresent() && !pod.ready())
                .findFirst();
        condition(
                conditions,
                status,
                "Progressing",
                true,
                rolledOut ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
                failing.map(pod -> "pod " + pod.name() + ": " + pod.message())
                        .orElse(rolledOut ? "all pods are of the newest version" : "pods are being started"));
        return next;
    }

    private static String notReady(PodState state) {
        return state.ready() ? "" : "ContainersNotReady";
    }

    private static ObjectNode metadata(ObjectNode object, DesiredPods desired, String name) {
        ObjectNode metadata = object.putObject("metadata").put("name", name).put("namespace", desired.namespace());
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "apps/v1")
                .put("kind", "Deployment")
                .put("name", desired.name())
                .put("uid", desired.uid())
                .put("controller", true)
                .put("blockOwnerDeletion", true);
        return metadata;
    }

    /** A condition keeps its lastTransitionTime while its status is unchanged. */
    private static void condition(
            ArrayNode conditions, ObjectNode before, String type, boolean holds, String reason, String message) {
        String status = holds ? "True" : "False";
        String since = seconds(Instant.now());
        for (JsonNode known : before.path("conditions")) {
            if (known.path("type").asText().equals(type)
                    && known.path("status").asText().equals(status)) {
                since = known.path("lastTransitionTime").asText(since);
            }
        }
        ObjectNode condition = conditions.addObject().put("type", type).put("status", status);
        condition.put("lastTransitionTime", since);
        if (!reason.isEmpty()) {
            condition.put("reason", reason);
        }
        if (!message.isEmpty()) {
            condition.put("message", message);
        }
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
