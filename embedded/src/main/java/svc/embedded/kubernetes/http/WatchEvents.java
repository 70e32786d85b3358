package svc.embedded.kubernetes.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.store.Change;
import svc.embedded.kubernetes.store.StoredObject;

/** The events of one watch as text. Pure. */
record WatchEvents(WatchRequest request) {
    /**
     * The event that a change is to this watcher: a change that moves an object into the selection is its arrival, one
     * that moves it out is its end.
     */
    Optional<byte[]> of(Change change) {
        boolean matched = change.previous().map(this::matches).orElse(false);
        boolean matches = matches(change.object());
        if (change.type() == Change.Type.DELETED) {
            return matched || matches ? Optional.of(event("DELETED", change.object())) : Optional.empty();
        }
        if (matches) {
            boolean known = change.type() == Change.Type.MODIFIED && matched;
            return Optional.of(event(known ? "MODIFIED" : "ADDED", change.object()));
        }
        return matched ? Optional.of(event("DELETED", change.object())) : Optional.empty();
    }

    /** A bookmark: the version up to which the watcher has seen all changes. */
    byte[] bookmark(long version, boolean endsInitialEvents) {
        ObjectNode object = Json.object()
                .put("kind", request.rendering().served().type().names().kind())
                .put("apiVersion", request.rendering().served().apiVersion());
        ObjectNode meta = object.putObject("metadata").put("resourceVersion", Long.toString(version));
        if (endsInitialEvents) {
            meta.putObject("annotations").put("k8s.io/initial-events-end", "true");
        }
        if (request.rendering().form() == Rendering.Form.METADATA) {
            object.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        }
        return event("BOOKMARK", Json.bytes(object));
    }

    /** The event that ends a watch whose version is too old, so that its client lists again. */
    byte[] failure(ApiFailure failure) {
        return event("ERROR", Json.bytes(failure.status()));
    }

    private boolean matches(StoredObject object) {
        return request.matches().test(request.rendering().served().show(object.body()));
    }

    private byte[] event(String type, StoredObject object) {
        return event(type, request.rendering().bytes(object));
    }

    private static byte[] event(String type, byte[] object) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(object.length + 40);
        out.writeBytes(("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8));
        out.writeBytes(object);
        out.writeBytes("}\n".getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }
}
