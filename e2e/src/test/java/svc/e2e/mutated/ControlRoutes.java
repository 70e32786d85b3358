package svc.e2e.mutated;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The routes of the control plane as its own document tells them, with bodies made from its schemas. */
final class ControlRoutes {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    /** Bodies nest no deeper than this, whatever a schema says. */
    private static final int DEEPEST = 6;

    /** Each takes processor time of seconds, or makes something that stays. */
    private static final Map<String, Integer> COSTLY = Map.of("/functions", 3, "/keys/rotate", 10, "/branches", 10);

    private static final int COSTLY_PROJECT = 10;

    private final JsonNode document;

    private ControlRoutes(JsonNode document) {
        this.document = document;
    }

    /** @param names what the document's parameters stand for, by their names */
    static List<Route> of(JsonNode document, Map<String, String> names) {
        return new ControlRoutes(document).routes(names);
    }

    private List<Route> routes(Map<String, String> names) {
        List<Route> routes = new ArrayList<>(List.of(
                Route.control("GET", "/"),
                Route.control("GET", "/status"),
                Route.control("GET", "/v1/openapi.json"),
                Route.control("GET", "/q/health"),
                Route.control("GET", "/p/zzzzzzzz/rest/v1/todo"),
                Route.control(
                        "POST",
                        "/api/projects/" + names.get("ref") + "/migrate/service-role",
                        "{\"query\":\"SELECT 1\"}"),
                Route.control("POST", "/v1/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"),
                Route.control(
                        "POST",
                        "/v1/mcp?project_ref=" + names.get("ref") + "&read_only=true",
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"list_tables\","
                                + "\"arguments\":{\"verbose\":true}}}")));
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(call -> METHODS.contains(call.getKey()))
                        .forEach(call -> routes.add(route(path.getKey(), call.getKey(), call.getValue(), names))));
        return routes;
    }

    private Route route(String template, String method, JsonNode call, Map<String, String> names) {
        String path = template;
        for (var name : names.entrySet()) {
            path = path.replace("{" + name.getKey() + "}", name.getValue());
        }
        if (method.equals("delete") && template.endsWith("/projects/{ref}")) {
            path = "/v1/projects/" + names.get("doomed");
        }
        if (template.endsWith("/pause") || template.contains("/restore")) {
            path = template.replace("{ref}", names.get("doomed"));
        }
        JsonNode content = call.at("/requestBody/content");
        List<String> bodies = new ArrayList<>();
        if (!content.isMissingNode() && content.has("application/json")) {
            bodies.add(text(sample(content.at("/application~1json/schema"), "", DEEPEST, true)));
            bodies.add(text(sample(content.at("/application~1json/schema"), "", DEEPEST, false)));
        }
        var query = new StringBuilder();
        call.path("parameters").forEach(parameter -> {
            if (parameter.path("in").asText().equals("query")) {
                query.append(query.isEmpty() ? '?' : '&')
                        .append(parameter.path("name").asText())
                        .append('=')
                        .append(sample(
                                        parameter.path("schema"),
                                        parameter.path("name").asText(),
                                        1,
                                        true)
                                .asText());
            }
        });
        Route route =
                new Route(Route.Plane.CONTROL, method.toUpperCase(Locale.ROOT), path + query, bodies, Route.USUAL);
        return route.weighing(weight(template, method));
    }

    private static int weight(String template, String method) {
        if (method.equals("get")) {
            return Route.USUAL;
        }
        if (template.endsWith("/projects")) {
            return COSTLY_PROJECT;
        }
        return COSTLY.entrySet().stream()
                .filter(costly -> template.contains(costly.getKey()) && !template.contains("/secrets"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(Route.USUAL);
    }

    private static String text(JsonNode sample) {
        try {
            return JSON.writeValueAsString(sample);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /** A value that a schema allows, as far as its keywords are known here. */
    private JsonNode sample(JsonNode named, String name, int depth, boolean whole) {
        JsonNode schema =
                named.has("$ref") ? document.at(named.get("$ref").asText().substring(1)) : named;
        if (depth == 0) {
            return NODES.nullNode();
        }
        for (String either : List.of("allOf", "anyOf", "oneOf")) {
            if (schema.has(either)) {
                return sample(schema.get(either).get(0), name, depth, whole);
            }
        }
        if (schema.has("enum")) {
            return schema.get("enum").get(0);
        }
        if (schema.has("examples")) {
            return schema.get("examples").get(0);
        }
        JsonNode type = schema.path("type");
        return switch (type.isArray() ? type.get(0).asText() : type.asText()) {
            case "object" -> object(schema, depth, whole);
            case "array" -> NODES.arrayNode().add(sample(schema.path("items"), name, depth - 1, whole));
            case "boolean" -> NODES.booleanNode(whole);
            case "integer", "number" -> NODES.numberNode(1);
            default -> NODES.textNode(word(name, schema.path("format").asText()));
        };
    }

    private ObjectNode object(JsonNode schema, int depth, boolean whole) {
        ObjectNode object = NODES.objectNode();
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        schema.path("properties").properties().stream()
                .filter(property -> whole || required.contains(property.getKey()))
                .forEach(property -> object.set(
                        property.getKey(), sample(property.getValue(), property.getKey(), depth - 1, whole)));
        if (schema.path("additionalProperties").isObject()) {
            object.set("extra.ts", sample(schema.get("additionalProperties"), "extra", depth - 1, whole));
        }
        return object;
    }

    private static String word(String name, String format) {
        return switch (name) {
            case "query", "sql", "statement" -> "SELECT 1";
            case "functionName" -> "echo";
            case "source", "body" -> "export default () => new Response('ok')";
            case "version", "cursor" -> "20260101000000";
            case "since", "until" -> "2026-01-01T00:00:00Z";
            case "follow" -> "false";
            default ->
                switch (format) {
                    case "uuid" -> "11111111-1111-4111-8111-111111111111";
                    case "date-time" -> "2030-01-01T00:00:00Z";
                    case "uri" -> "https://example.com/";
                    default -> "word";
                };
        };
    }
}
