package svc.embedded.kubernetes.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.type.ResourceCatalog;
import svc.embedded.kubernetes.type.ResourceType;
import svc.embedded.kubernetes.type.Served;

/**
 * OpenAPI as far as kubectl reads it: version 3 with the schemas of custom resources for {@code explain}, and the
 * {@code fieldValidation} parameter that tells {@code apply} to leave validation to the server. Version 2 is empty,
 * so clients that read only version 2 validate nothing.
 */
public final class OpenApiDocuments {
    /** The type of version 2 for clients that insist on protobuf; they ask with an {@code @} that they cannot read back. */
    public static final String V2_PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    static final String GVK = "x-kubernetes-group-version-kind";

    private final ResourceCatalog catalog;

    public OpenApiDocuments(ResourceCatalog catalog) {
        this.catalog = catalog;
    }

    /** {@code /openapi/v2}. */
    public ObjectNode version2() {
        ObjectNode document = Json.object().put("swagger", "2.0");
        document.set("info", info());
        document.putObject("paths");
        document.putObject("definitions");
        return document;
    }

    /** {@code /openapi/v2} in the type {@link #V2_PROTOBUF}. */
    public byte[] version2Protobuf() {
        return OpenApiProtobuf.document(catalog);
    }

    /** {@code /openapi/v3}: where the document of each group and version is. */
    public ObjectNode index() {
        Map<String, ObjectNode> documents = new TreeMap<>();
        catalog.types()
                .flatMap(type -> type.versions().stream().map(version -> new Served(type, version)))
                .map(OpenApiDocuments::place)
                .distinct()
                .forEach(place -> documents.put(place, groupVersion(place)));
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        documents.forEach((place, document) ->
                paths.putObject(place).put("serverRelativeURL", "/openapi/v3/" + place + "?hash=" + hash(document)));
        return index;
    }

    /** The document of {@code api/v1} or {@code apis/<group>/<version>}.
     *
     * @throws ApiFailure 404 for what is not served */
    public ObjectNode groupVersion(String place) {
        List<Served> served = catalog.types()
                .flatMap(type -> type.versions().stream().map(version -> new Served(type, version)))
                .filter(candidate -> place(candidate).equals(place))
                .toList();
        if (served.isEmpty()) {
            throw ApiFailure.noSuchPath();
        }
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.set("info", info());
        ObjectNode paths = document.putObject("paths");
        ObjectNode schemas = document.putObject("components").putObject("schemas");
        for (Served resource : served) {
            describe(resource, place, paths, schemas);
        }
        return document;
    }

    private static void describe(Served served, String place, ObjectNode paths, ObjectNode schemas) {
        ResourceType type = served.type();
        String name = schemaName(served);
        schemas.set(name, schema(served));
        String collection = "/" + place + (type.namespaced() ? "/namespaces/{namespace}/" : "/")
                + type.names().plural();
        ObjectNode list = paths.putObject(collection);
        list.set("get", operation(served, "list", name));
        list.set("post", operation(served, "post", name));
        ObjectNode object = paths.putObject(collection + "/{name}");
        object.set("get", operation(served, "get", name));
        object.set("put", operation(served, "put", name));
        object.set("patch", operation(served, "patch", name));
        object.set("delete", operation(served, "delete", name));
    }

    private static ObjectNode operation(Served served, String action, String schemaName) {
        ObjectNode operation = Json.object();
        ObjectNode response = operation.putObject("responses").putObject("200").put("description", "OK");
        response.putObject("content")
                .putObject("application/json")
                .putObject("schema")
                .put("$ref", "#/components/schemas/" + schemaName);
        operation.put("x-kubernetes-action", action).set(GVK, gvk(served));
        if (List.of("post", "put", "patch").contains(action)) {
            for (String parameter : List.of("dryRun", "fieldManager", "fieldValidation")) {
                operation
                        .withArray("parameters")
                        .addObject()
                        .put("name", parameter)
                        .put("in", "query")
                        .putObject("schema")
                        .put("type", "string");
            }
        }
        return operation;
    }

    private static ObjectNode schema(Served served) {
        JsonNode declared = served.version().schema();
        ObjectNode schema = declared instanceof ObjectNode object && !object.isEmpty()
                ? object.deepCopy()
                : Json.object().put("type", "object");
        ObjectNode properties = Json.child(schema, "properties");
        for (String field : List.of("apiVersion", "kind")) {
            if (!properties.has(field)) {
                properties.putObject(field).put("type", "string");
            }
        }
        Json.child(properties, "metadata").put("type", "object");
        schema.putArray(GVK).add(gvk(served));
        return schema;
    }

    private static ObjectNode gvk(Served served) {
        return Json.object()
                .put("group", served.type().group())
                .put("kind", served.type().names().kind())
                .put("version", served.version().name());
    }

    private static String place(Served served) {
        return (served.type().group().isEmpty() ? "api/" : "apis/") + served.apiVersion();
    }

    private static String schemaName(Served served) {
        String group = served.type().group().isEmpty() ? "core" : served.type().group();
        return group + "." + served.version().name() + "."
                + served.type().names().kind();
    }

    private static String hash(ObjectNode document) {
        CRC32C crc = new CRC32C();
        crc.update(document.toString().getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue());
    }

    private static ObjectNode info() {
        return Json.object().put("title", "svc embedded Kubernetes API").put("version", "v1");
    }
}
