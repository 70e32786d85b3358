package svc.embedded.kubernetes.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;
import svc.embedded.kubernetes.store.StoredObject;
import svc.embedded.kubernetes.table.TableLayout;
import svc.embedded.kubernetes.type.Served;

/** The representation that {@code Accept} asks for: objects, a Table, or metadata only. */
record Rendering(Served served, Form form, TableLayout.Include include) {
    enum Form {
        OBJECT,
        TABLE,
        METADATA
    }

    /** The form that {@code Accept} and {@code includeObject} ask for; the first one known wins. */
    static Rendering of(Served served, ApiRequest request) {
        TableLayout.Include include = switch (request.parameter("includeObject").toLowerCase(Locale.ROOT)) {
            case "none" -> TableLayout.Include.NONE;
            case "object" -> TableLayout.Include.OBJECT;
            default -> TableLayout.Include.METADATA;
        };
        for (String accepted : request.accept().split(",")) {
            String type = accepted.replace(" ", "");
            if (!type.startsWith("application/json") && !type.startsWith("*/*")) {
                continue;
            }
            if (type.contains("as=Table") && type.contains("v=v1") && !type.contains("v=v1beta1")) {
                return new Rendering(served, Form.TABLE, include);
            }
            if (type.contains("as=PartialObjectMetadata")) {
                return new Rendering(served, Form.METADATA, include);
            }
            if (!type.contains("as=")) {
                break;
            }
        }
        return new Rendering(served, Form.OBJECT, include);
    }

    /** One object, in its stored form. */
    ObjectNode object(ObjectNode stored) {
        ObjectNode shown = served.show(stored);
        return switch (form) {
            case OBJECT -> shown;
            case METADATA -> TableLayout.partial(shown);
            case TABLE ->
                served.version()
                        .table()
                        .render(
                                Json.object().put("resourceVersion", Meta.resourceVersion(stored)),
                                List.of(shown),
                                include,
                                Instant.now());
        };
    }

    /** A list as a whole document. */
    byte[] list(long version, List<StoredObject> objects) {
        if (form == Form.TABLE) {
            List<ObjectNode> shown =
                    objects.stream().map(object -> served.show(object.body())).toList();
            ObjectNode meta = Json.object().put("resourceVersion", Long.toString(version));
            return Json.bytes(served.version().table().render(meta, shown, include, Instant.now()));
        }
        String kind = form == Form.METADATA
                ? "PartialObjectMetadataList"
                : served.type().names().listKind();
        String apiVersion = form == Form.METADATA ? "meta.k8s.io/v1" : served.apiVersion();
        // Items are joined as text: an object is serialised once, when it is stored.
        ByteArrayOutputStream out = new ByteArrayOutputStream(256 + 1024 * objects.size());
        out.writeBytes("{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\"resourceVersion\":\"%d\"},\"items\":["
                .formatted(kind, apiVersion, version)
                .getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < objects.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            out.writeBytes(bytes(objects.get(i)));
        }
        out.writeBytes("]}".getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    /** One stored object as text. */
    byte[] bytes(StoredObject object) {
        ObjectNode shown = object(object.body());
        return form == Form.OBJECT && shown.equals(object.body()) ? object.json() : Json.bytes(shown);
    }
}
