package svc.embedded.kubernetes.type;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Events are kept in the core form; {@code events.k8s.io/v1} shows them under the newer field names. */
final class EventView implements View {
    private static final Map<String, String> SERVED_TO_STORED = Map.of(
            "regarding", "involvedObject",
            "note", "message",
            "reportingController", "reportingComponent",
            "deprecatedSource", "source",
            "deprecatedCount", "count",
            "deprecatedFirstTimestamp", "firstTimestamp",
            "deprecatedLastTimestamp", "lastTimestamp");

    @Override
    public ObjectNode toServed(ObjectNode stored) {
        ObjectNode served = stored.deepCopy().put("apiVersion", "events.k8s.io/v1");
        SERVED_TO_STORED.forEach((to, from) -> move(served, from, to));
        return served;
    }

    @Override
    public ObjectNode toStored(ObjectNode served) {
        ObjectNode stored = served.deepCopy().put("apiVersion", "v1");
        SERVED_TO_STORED.forEach((from, to) -> move(stored, from, to));
        return stored;
    }

    private static void move(ObjectNode object, String from, String to) {
        if (object.has(from)) {
            object.set(to, object.remove(from));
        }
    }
}
