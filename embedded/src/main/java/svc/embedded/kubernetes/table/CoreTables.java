package svc.embedded.kubernetes.table;

import static svc.embedded.kubernetes.table.Column.age;
import static svc.embedded.kubernetes.table.Column.number;
import static svc.embedded.kubernetes.table.Column.text;
import static svc.embedded.kubernetes.table.TableLayout.AGE;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import svc.embedded.kubernetes.json.Meta;

/** The printer columns of the built-in kinds. */
public final class CoreTables {
    private CoreTables() {}

    /** The layout of a resource by its plural name. */
    public static TableLayout of(String resource) {
        return switch (resource) {
            case "pods" -> pods();
            case "deployments" ->
                TableLayout.of(List.of(
                        text("Ready", o -> status(o, "readyReplicas") + "/" + replicas(o)),
                        number("Up-to-date", o -> status(o, "updatedReplicas")),
                        number("Available", o -> status(o, "availableReplicas")),
                        AGE));
            case "replicasets" ->
                TableLayout.of(List.of(
                        number("Desired", CoreTables::replicas),
                        number("Current", o -> status(o, "replicas")),
                        number("Ready", o -> status(o, "readyReplicas")),
                        AGE));
            case "statefulsets" ->
                TableLayout.of(List.of(text("Ready", o -> status(o, "readyReplicas") + "/" + replicas(o)), AGE));
            case "endpointslices" -> endpointSlices();
            case "services" -> services();
            case "secrets" ->
                TableLayout.of(
                        List.of(text("Type", o -> o.path("type").asText()), number("Data", CoreTables::entries), AGE));
            case "configmaps" -> TableLayout.of(List.of(number("Data", CoreTables::entries), AGE));
            case "namespaces" ->
                TableLayout.of(List.of(
                        text("Status", o -> o.path("status").path("phase").asText()), AGE));
            case "events" -> events();
            case "leases" ->
                TableLayout.of(List.of(
                        text(
                                "Holder",
                                o -> o.path("spec").path("holderIdentity").asText()),
                        AGE));
            case "customresourcedefinitions" ->
                TableLayout.of(List.of(text(
                        "Created At", o -> Meta.of(o).path("creationTimestamp").asText())));
            default -> TableLayout.of(List.of(AGE));
        };
    }

    private static TableLayout pods() {
        return TableLayout.of(List.of(
                text("Ready", CoreTables::readyContainers),
                text("Status", CoreTables::podStatus),
                number("Restarts", CoreTables::restarts),
                AGE,
                text("IP", o -> orNone(o.path("status").path("podIP"))).wide(),
                text("Node", o -> orNone(o.path("spec").path("nodeName"))).wide()));
    }

    private static TableLayout services() {
        return TableLayout.of(List.of(
                text("Type", o -> o.path("spec").path("type").asText()),
                text("Cluster-IP", o -> orNone(o.path("spec").path("clusterIP"))),
                text(
                        "External-IP",
                        o -> orNone(o.path("spec").path("externalIPs").path(0))),
                text("Port(s)", CoreTables::ports),
                AGE,
                text("Selector", o -> pairs(o.path("spec").path("selector"))).wide()));
    }

    private static TableLayout endpointSlices() {
        return TableLayout.of(List.of(
                text("AddressType", o -> o.path("addressType").asText()),
                text(
                        "Ports",
                        o -> o.path("ports").isEmpty()
                                ? "<unset>"
                                : joined(
                                        o.path("ports"),
                                        port -> port.path("port").asText())),
                text(
                        "Endpoints",
                        o -> joined(
                                o.path("endpoints"), endpoint -> joined(endpoint.path("addresses"), JsonNode::asText))),
                AGE));
    }

    private static TableLayout events() {
        return new TableLayout(List.of(
                age("Last Seen", CoreTables::lastSeen),
                text("Type", o -> o.path("type").asText()),
                text("Reason", o -> o.path("reason").asText()),
                text("Object", CoreTables::involved),
                text("Source", o -> o.path("source").path("component").asText()).wide(),
                text(
                        "Message",
                        o -> o.path("message").asText(o.path("note").asText()).strip()),
                number("Count", o -> Math.max(1, o.path("count").asInt())).wide(),
                text("Name", Meta::name).wide()));
    }

    private static String readyContainers(JsonNode pod) {
        int ready = 0;
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            ready += container.path("ready").asBoolean() ? 1 : 0;
        }
        return ready + "/" + pod.path("spec").path("containers").size();
    }

    private static String podStatus(JsonNode pod) {
        if (Meta.deleting(pod)) {
            return "Terminating";
        }
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            JsonNode reason = container.path("state").path("waiting").path("reason");
            if (reason.isTextual()) {
                return reason.asText();
            }
        }
        JsonNode reason = pod.path("status").path("reason");
        return reason.isTextual()
                ? reason.asText()
                : pod.path("status").path("phase").asText("Pending");
    }

    private static int restarts(JsonNode pod) {
        int restarts = 0;
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            restarts += container.path("restartCount").asInt();
        }
        return restarts;
    }

    private static String ports(JsonNode service) {
        return joined(service.path("spec").path("ports"), port -> {
            String node = port.path("nodePort").asInt() == 0
                    ? ""
                    : ":" + port.path("nodePort").asInt();
            return port.path("port").asText() + node + "/"
                    + port.path("protocol").asText("TCP");
        });
    }

    private static String lastSeen(JsonNode event) {
        for (String field : List.of("lastTimestamp", "deprecatedLastTimestamp", "eventTime", "firstTimestamp")) {
            if (event.hasNonNull(field)) {
                return event.path(field).asText();
            }
        }
        return Meta.of(event).path("creationTimestamp").asText();
    }

    private static String involved(JsonNode event) {
        JsonNode object = event.has("regarding") ? event.path("regarding") : event.path("involvedObject");
        return object.path("kind").asText().toLowerCase(java.util.Locale.ROOT)
                + "/"
                + object.path("name").asText();
    }

    private static int replicas(JsonNode object) {
        return object.path("spec").path("replicas").asInt(1);
    }

    private static int status(JsonNode object, String field) {
        return object.path("status").path(field).asInt();
    }

    private static int entries(JsonNode object) {
        return object.path("data").size() + object.path("binaryData").size();
    }

    private static String orNone(JsonNode value) {
        return value.asText("").isEmpty() ? "<none>" : value.asText();
    }

    private static String pairs(JsonNode map) {
        List<String> pairs = new ArrayList<>();
        map.properties().forEach(e -> pairs.add(e.getKey() + "=" + e.getValue().asText()));
        return pairs.isEmpty() ? "<none>" : String.join(",", pairs);
    }

    private static String joined(JsonNode list, Function<JsonNode, String> each) {
        List<String> texts = new ArrayList<>();
        list.forEach(item -> texts.add(each.apply(item)));
        return texts.isEmpty() ? "<none>" : String.join(",", texts);
    }
}
