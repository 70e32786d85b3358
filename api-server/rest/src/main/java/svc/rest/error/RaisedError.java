package svc.rest.error;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.platform.json.ForeignJson;
import svc.postgres.SqlError;

/**
 * A custom error response of a function: {@code RAISE SQLSTATE 'PGRST'} with the body as JSON in the message, and status
 * and headers as JSON in the detail.
 */
final class RaisedError {
    static final String SQLSTATE = "PGRST";

    private static final ObjectMapper JSON = ForeignJson.mapper();
    private static final String MESSAGE_HINT =
            "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and"
                    + " optional keys: 'details', 'hint'.";
    private static final String DETAIL_HINT =
            "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and"
                    + " optional key: 'status_text'.";

    private RaisedError() {}

    /** PGRST121 if message or detail are invalid. */
    static RestError of(SqlError error) {
        JsonNode message = object(error.getMessage());
        if (!message.path("code").isTextual() || !message.path("message").isTextual()) {
            return unreadable("Invalid JSON value for MESSAGE: '" + error.getMessage() + "'", MESSAGE_HINT);
        }
        if (error.detail().isEmpty()) {
            return unreadable("DETAIL is missing in the RAISE statement", DETAIL_HINT);
        }
        JsonNode detail = object(error.detail().get());
        int status = detail.path("status").asInt();
        if (!detail.path("status").isIntegralNumber()
                || status < 200
                || status > 599
                || !detail.path("headers").isObject()) {
            return unreadable(
                    "Invalid JSON value for DETAIL: '" + error.detail().get() + "'", DETAIL_HINT);
        }
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        for (Map.Entry<String, JsonNode> header : detail.path("headers").properties()) {
            headers.add(Map.entry(header.getKey(), header.getValue().asText()));
        }
        return new RestError(
                status,
                message.path("code").asText(),
                message.path("message").asText(),
                text(message, "details"),
                text(message, "hint"),
                headers);
    }

    private static JsonNode object(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return JSON.missingNode();
        }
    }

    private static Optional<String> text(JsonNode object, String key) {
        return Optional.ofNullable(object.get(key)).filter(JsonNode::isTextual).map(JsonNode::asText);
    }

    private static RestError unreadable(String details, String hint) {
        return new RestError(
                500,
                "PGRST121",
                "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error",
                Optional.of(details),
                Optional.of(hint));
    }
}
