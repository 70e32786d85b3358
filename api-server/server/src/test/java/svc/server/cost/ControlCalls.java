package svc.server.cost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The calls of the control plane as its OpenAPI document names them, with bodies made from its schemas, and those beside it. */
final class ControlCalls {
    static final String HOST = "api.svc.example";

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");
    private static final int MAX_DEPTH = 5;

    /** What ends, moves or copies the project is sent for one that is not there: its text is read all the same. */
    private static final List<String> NOT_OF_THE_PROJECT = List.of(
            "DELETE /v1/projects/{ref}", "/pause", "/restore", "/branches", "/keys/rotate", "/restart", "/upgrade");

    private static final String ABSENT = "zzzzzzzz";

    private final JsonNode document;
    private final String ref;

    /** @param ref of the project that calls are about */
    ControlCalls(JsonNode document, String ref) {
        this.document = document;
        this.ref = ref;
    }

    List<Call> all() {
        List<Call> calls = new ArrayList<>(List.of(
                Call.of("GET", HOST, "/status"),
                Call.of("GET", HOST, "/.well-known/oauth-authorization-server"),
                Call.of("GET", HOST, "/p/zzzzzzzz/rest/v1/todo"),
                Call.of("POST", HOST, "/api/projects/" + ref + "/migrate/service-role")
                        .withBody("{\"query\":\"SELECT 1\"}"),
                Call.of("POST", HOST, "/v1/mcp")
                        .withBody("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                                + "\"search_docs\",\"arguments\":{\"query\":\"a\"}}}")));
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(call -> METHODS.contains(call.getKey()))
                        .forEach(call -> calls.add(call(path.getKey(), call.getKey(), call.getValue()))));
        return calls;
    }

    private Call call(String template, String method, JsonNode operation) {
        String route = method.toUpperCase(Locale.ROOT) + " " + template;
        boolean other = NOT_OF_THE_PROJECT.stream()
                .anyMatch(each -> each.startsWith("/") ? route.contains(each) : route.equals(each));
        var target = new StringBuilder(template.replace("{ref}", other ? ABSENT : ref)
                .replaceAll("\\{(?:id|uuid)}", "11111111-1111-4111-8111-111111111111")
                .replaceAll("\\{[A-Za-z_]+}", "word"));
        operation.path("parameters").forEach(parameter -> {
            String name = parameter.path("name").asText();
            if (parameter.path("in").asText().equals("query") && !name.equals("follow")) {
                target.append(target.indexOf("?") < 0 ? '?' : '&').append(name).append('=');
                target.append(sample(parameter.path("schema"), name, 1).asText());
            }
        });
        Call call = Call.of(method.toUpperCase(Locale.ROOT), HOST, target.toString())
                .of(route);
        JsonNode schema = operation.at("/requestBody/content/application~1json/schema");
        if (!schema.isMissingNode()) {
            return call.withBody(sample(schema, "", MAX_DEPTH).toString());
        }
        return operation.has("requestBody") ? call.withBody("text") : call;
    }

    /** A value that a schema allows, as far as its keywords are known here. */
    private JsonNode sample(JsonNode named, String name, int depth) {
        JsonNode schema =
                named.has("$ref") ? document.at(named.get("$ref").asText().substring(1)) : named;
        if (depth == 0) {
            return NODES.nullNode();
        }
        for (String either : List.of("allOf", "anyOf", "oneOf")) {
            if (schema.has(either)) {
                return sample(schema.get(either).get(0), name, depth);
            }
        }
        if (schema.has("enum")) {
            return schema.get("enum").get(0);
        }
        JsonNode type = schema.path("type");
        return switch (type.isArray() ? type.get(0).asText() : type.asText()) {
            case "object" -> object(schema, depth);
            case "array" -> NODES.arrayNode().add(sample(schema.path("items"), name, depth - 1));
            case "boolean" -> NODES.booleanNode(true);
            case "integer", "number" -> NODES.numberNode(1);
            default -> NODES.textNode(WORDS.getOrDefault(name, "word"));
        };
    }

    private static final Map<String, String> WORDS = Map.of(
            "query", "SELECT 1",
            "sql", "SELECT 1",
            "source", "export default 1",
            "body", "export default 1",
            "version", "20260101000000",
            "cursor", "20260101000000",
            "since", "2026-01-01T00:00:00Z",
            "until", "2026-01-01T00:00:00Z",
            "redirect_uri", "https://example.com/",
            "email", "a@example.com");

    private ObjectNode object(JsonNode schema, int depth) {
        ObjectNode object = NODES.objectNode();
        schema.path("properties")
                .properties()
                .forEach(property ->
                        object.set(property.getKey(), sample(property.getValue(), property.getKey(), depth - 1)));
        if (schema.path("additionalProperties").isObject()) {
            object.set("extra.ts", sample(schema.get("additionalProperties"), "extra", depth - 1));
        }
        return object;
    }
}
