package svc.storage.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import svc.storage.http.StorageCall;
import svc.storage.rows.EventRows.Event;

/** The body that a webhook gets: S3's event message structure, and the project's ref. */
final class EventDocument {
    private EventDocument() {}

    /** The same for the same events, so that a receiver can recognise a repeated call. */
    static String id(List<Event> events) {
        String all = events.getFirst().id() + " " + events.getLast().id() + " " + events.size();
        return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8)).toString();
    }

    static String of(String ref, String webhook, List<Event> events) {
        ObjectNode document = StorageCall.newObject().put("project", ref);
        ArrayNode records = document.putArray("Records");
        events.forEach(event -> record(records.addObject(), webhook, event));
        return document.toString();
    }

    private static void record(ObjectNode record, String webhook, Event event) {
        JsonNode file = event.event();
        record.put("eventVersion", "2.1")
                .put("eventSource", "svc:storage")
                .put("eventTime", event.time())
                .put("eventName", file.path("event").asText());
        record.putObject("userIdentity").put("principalId", file.path("owner").asText(""));
        ObjectNode s3 = record.putObject("s3").put("s3SchemaVersion", "1.0").put("configurationId", webhook);
        s3.putObject("bucket").put("name", file.path("bucket").asText());
        // Encoded as S3 does it.
        ObjectNode object = s3.putObject("object")
                .put("key", URLEncoder.encode(file.path("name").asText(), StandardCharsets.UTF_8));
        if (file.path("size").isNumber()) {
            object.set("size", file.path("size"));
        }
        object.put("eTag", file.path("etag").asText("").replace("\"", ""))
                .put("versionId", file.path("version").asText(""))
                .put("contentType", file.path("type").asText(""))
                .put("sequencer", String.format(Locale.ROOT, "%016X", event.micros()));
    }
}
