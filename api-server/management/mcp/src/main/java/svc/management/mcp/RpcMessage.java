package svc.management.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.Optional;
import svc.platform.json.ForeignJson;

/**
 * A message of JSON-RPC 2.0 as MCP has it: one object, no batch.
 *
 * @param id a string or a number; missing in a notification
 * @param method empty in the answer to a request of the server, of which there are none
 * @param params an object, empty if it was left out
 */
record RpcMessage(JsonNode id, Optional<String> method, JsonNode params) {
    private static final JsonMapper JSON = JsonMapper.builder(ForeignJson.factory())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final int MAX_ID_LENGTH = 256;

    /** @throws RpcError if it is none */
    static RpcMessage read(byte[] body) {
        JsonNode message;
        try {
            message = JSON.readTree(body == null ? new byte[0] : body);
        } catch (JsonProcessingException e) {
            throw RpcError.refused(RpcError.PARSE, "Parse error: the body is not valid JSON");
        } catch (IOException e) {
            throw new IllegalStateException("while reading a message in memory", e);
        }
        if (message == null
                || !message.isObject()
                || !"2.0".equals(message.path("jsonrpc").textValue())) {
            throw RpcError.refused(
                    RpcError.INVALID_REQUEST, "Invalid request: the body must be one JSON-RPC 2.0 object");
        }
        JsonNode id = message.path("id");
        if (!id.isMissingNode() && !isId(id)) {
            throw RpcError.refused(RpcError.INVALID_REQUEST, "Invalid request: the id must be a string or an integer");
        }
        JsonNode method = message.path("method");
        boolean answer = message.has("result") || message.has("error");
        if (!method.isTextual() && !(answer && method.isMissingNode())) {
            throw RpcError.refused(RpcError.INVALID_REQUEST, "Invalid request: the method must be a string");
        }
        JsonNode params = message.path("params");
        if (!params.isMissingNode() && !params.isObject()) {
            throw RpcError.refused(RpcError.INVALID_PARAMS, "Invalid params: params must be an object");
        }
        return new RpcMessage(
                id,
                Optional.ofNullable(method.textValue()),
                params.isObject() ? params : JsonNodeFactory.instance.objectNode());
    }

    private static boolean isId(JsonNode id) {
        return id.isIntegralNumber() && id.canConvertToLong()
                || id.isTextual() && id.textValue().length() <= MAX_ID_LENGTH;
    }

    boolean expectsAnswer() {
        return method.isPresent() && !id.isMissingNode();
    }
}
