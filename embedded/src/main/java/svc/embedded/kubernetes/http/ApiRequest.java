package svc.embedded.kubernetes.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.protobuf.ProtobufBody;

/**
 * One HTTP request, read completely.
 *
 * @param path the decoded segments of the path
 * @param query the parameters; of one given twice, the last
 */
@SuppressWarnings("ArrayRecordComponent") // requests are never compared
record ApiRequest(
        String method,
        List<String> path,
        Map<String, String> query,
        String accept,
        String contentType,
        String userAgent,
        byte[] body) {
    static final List<String> BODY_TYPES = List.of("application/json", "application/yaml");

    String parameter(String name) {
        return query.getOrDefault(name, "");
    }

    boolean flag(String name) {
        String value = query.get(name);
        return value != null && !value.equals("false") && !value.equals("0");
    }

    Optional<Long> number(String name) {
        String value = parameter(name);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Long.parseLong(value));
        } catch (NumberFormatException e) {
            throw ApiFailure.badRequest("%s: Invalid value: \"%s\": must be a number".formatted(name, value));
        }
    }

    /** The object that was sent.
     *
     * @throws ApiFailure 415 for a type that is neither JSON nor YAML, 400 for a text that is none */
    ObjectNode object() {
        if (!contentType.isEmpty()
                && !contentType.equals(ProtobufBody.CONTENT_TYPE)
                && !BODY_TYPES.contains(contentType)) {
            throw ApiFailure.unsupportedMediaType(contentType, BODY_TYPES);
        }
        return parsed();
    }

    /** The object that was sent, whatever its content type says. */
    ObjectNode parsed() {
        if (contentType.equals(ProtobufBody.CONTENT_TYPE)) {
            return ProtobufBody.parse(body);
        }
        if (tree() instanceof ObjectNode object) {
            return object;
        }
        throw ApiFailure.badRequest("the body of the request is not an object");
    }

    /** The request body as a JSON tree. */
    JsonNode tree() {
        try {
            return Json.parseYaml(body);
        } catch (IOException e) {
            throw ApiFailure.badRequest("the body of the request cannot be read: " + e.getMessage());
        }
    }
}
