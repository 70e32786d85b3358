package svc.storage.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import svc.crds.project.service.StorageWebhookSpec;
import svc.storage.http.Answers;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.rows.EventRows;

/** {@code GET /webhooks}: the webhooks of the project and what they wait for. For the service role only. */
public final class Webhooks {
    private final EventRows rows;

    public Webhooks(EventRows rows) {
        this.rows = rows;
    }

    public void list(StorageCall call) {
        if (!call.isService()) {
            throw StorageError.serviceRoleOnly();
        }
        JsonNode waiting = rows.exists(call.tenant()) ? rows.waiting(call) : StorageCall.newObject();
        ArrayNode webhooks = JsonNodeFactory.instance.arrayNode();
        for (StorageWebhookSpec spec : call.tenant().storage().webhooks()) {
            JsonNode queue = waiting.path(spec.name());
            ObjectNode webhook = webhooks.addObject().put("name", spec.name()).put("url", spec.url());
            spec.events().forEach(webhook.putArray("events")::add);
            webhook.put("pending", queue.path("pending").asInt(0));
            for (String field : new String[] {"oldest_at", "attempts", "error"}) {
                if (queue.hasNonNull(field)) {
                    webhook.set(field, queue.get(field));
                }
            }
        }
        Answers.json(call, webhooks);
    }
}
