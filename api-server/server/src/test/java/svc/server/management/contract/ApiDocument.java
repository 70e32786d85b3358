package svc.server.management.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The OpenAPI document that the server publishes, and what it promises of an answer. */
record ApiDocument(JsonNode json) {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(VersionFlag.V202012);

    /** All calls, as {@code GET /v1/projects/{ref}}. */
    Set<String> calls() {
        Set<String> calls = new TreeSet<>();
        json.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(call -> METHODS.contains(call.getKey()))
                        .forEach(call -> calls.add(call.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey())));
        return calls;
    }

    /** Calls of which the document does not say what success looks like. */
    List<String> callsWithoutSuccess() {
        return calls().stream()
                .filter(call -> responses(call).properties().stream()
                        .noneMatch(response -> response.getKey().startsWith("2")))
                .toList();
    }

    /** Errors of calls that are no problem of RFC 9457, and calls without a 401. */
    List<String> errorsOfAnotherForm() {
        List<String> found = new ArrayList<>();
        for (String call : calls()) {
            if (!responses(call).has("401")) {
                found.add(call + " has no 401");
            }
            responses(call).properties().forEach(response -> {
                String schema = response.getValue()
                        .path("content")
                        .path("application/problem+json")
                        .path("schema")
                        .path("$ref")
                        .asText();
                if (response.getKey().matches("[45].*") && !schema.endsWith("/Problem")) {
                    found.add(call + " " + response.getKey());
                }
            });
        }
        return found;
    }

    private JsonNode operation(String call) {
        String[] parts = call.split(" ", 2);
        return json.path("paths").path(parts[1]).path(parts[0].toLowerCase(Locale.ROOT));
    }

    private JsonNode responses(String call) {
        return operation(call).path("responses");
    }

    boolean takesABody(String call) {
        return operation(call).has("requestBody");
    }

    /** The headers that a call takes. */
    Set<String> headersOf(String call) {
        Set<String> names = new TreeSet<>();
        operation(call).path("parameters").forEach(parameter -> {
            if (parameter.path("in").asText().equals("header")) {
                names.add(parameter.path("name").asText());
            }
        });
        return names;
    }

    /** The names of all schemas. */
    Set<String> schemas() {
        Set<String> names = new TreeSet<>();
        json.at("/components/schemas").fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** The names of those that calls refer to, and of those that these refer to. */
    Set<String> schemasOfCalls() {
        Set<String> names = new TreeSet<>();
        follow(json.path("paths"), names);
        return names;
    }

    private void follow(JsonNode node, Set<String> names) {
        if (node.path("$ref").isTextual()) {
            String name = node.path("$ref").asText().replaceFirst(".*/", "");
            if (names.add(name)) {
                follow(json.at("/components/schemas").path(name), names);
            }
        }
        node.forEach(child -> follow(child, names));
    }

    /** What an answer has that the document does not promise, or promises otherwise; empty if they agree. */
    List<String> differences(String call, int status, String mediaType, JsonNode body) {
        JsonNode response = responses(call).path(Integer.toString(status));
        if (responses(call).isMissingNode()) {
            return List.of("the document has no call " + call);
        }
        if (response.isMissingNode()) {
            return List.of("the document has no status " + status + " for " + call);
        }
        if (body.isMissingNode()) {
            return List.of();
        }
        JsonNode schema = response.path("content").path(mediaType).path("schema");
        if (schema.isMissingNode()) {
            return List.of("the document has no " + mediaType + " for " + call + " " + status);
        }
        List<String> differences = new ArrayList<>();
        for (ValidationMessage message : schema(schema).validate(body)) {
            differences.add(call + " " + status + ": " + message.getMessage());
        }
        return differences;
    }

    /** The schema with those that it refers to; objects have no members but those that the document names. */
    private JsonSchema schema(JsonNode schema) {
        ObjectNode whole = schema.deepCopy();
        whole.set("components", json.path("components").deepCopy());
        close(whole);
        return SCHEMAS.getSchema(whole);
    }

    private static void close(JsonNode node) {
        if (node instanceof ObjectNode object
                && object.path("properties").isObject()
                && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        node.forEach(ApiDocument::close);
    }

    /** The call that a request made: the template without parameters, if there is one, and else the longest that fits. */
    String callOf(String method, String path) {
        String bare = path.replaceFirst("\\?.*", "");
        return calls().stream()
                .filter(call -> call.startsWith(method + " "))
                .filter(call -> Pattern.matches(
                        Pattern.quote(call.substring(method.length() + 1)).replaceAll("\\{[^}]+}", "\\\\E[^/]+\\\\Q"),
                        bare))
                .min((one, other) -> Integer.compare(one.split("\\{").length, other.split("\\{").length))
                .orElse(method + " " + bare);
    }
}
