package svc.management.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import svc.testing.Http;

/** A client of the MCP server that writes each message by hand, in the revisions of 2025 or in that of 2026. */
record McpClient(String token, String query, boolean stateless) {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final String META = "io.modelcontextprotocol/";

    static McpClient of(String token) {
        return new McpClient(token, "", false);
    }

    McpClient at(String parameters) {
        return new McpClient(token, "?" + parameters, stateless);
    }

    McpClient of2026() {
        return new McpClient(token, query, true);
    }

    Http http() {
        return Http.api(token)
                .with("Content-Type", "application/json")
                .with("Accept", "application/json, text/event-stream");
    }

    Http.Answer post(Http http, String body) {
        return http.send("POST", "/v1/mcp" + query, body);
    }

    /** The answer's member {@code result}. */
    JsonNode request(String method, ObjectNode params) {
        return result(send(method, params));
    }

    /** The same of a client of 2026 that opens pages for its user. */
    JsonNode opening(String method, ObjectNode params) {
        ObjectNode modes = JSON.createObjectNode();
        modes.putObject("url");
        return result(send(method, params, modes));
    }

    private static JsonNode result(Http.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().has("result")).as(answer.toString()).isTrue();
        return answer.json().get("result");
    }

    Http.Answer send(String method, ObjectNode params) {
        return send(method, params, JSON.createObjectNode());
    }

    private Http.Answer send(String method, ObjectNode params, ObjectNode elicitation) {
        ObjectNode message =
                JSON.createObjectNode().put("jsonrpc", "2.0").put("id", 7).put("method", method);
        Http http = http();
        if (stateless) {
            ObjectNode meta = params.putObject("_meta").put(META + "protocolVersion", "2026-07-28");
            meta.putObject(META + "clientInfo").put("name", "test").put("version", "1");
            meta.putObject(META + "clientCapabilities").set("elicitation", elicitation);
            http = http.with("MCP-Protocol-Version", "2026-07-28").with("Mcp-Method", method);
            if (params.has("name")) {
                http = http.with("Mcp-Name", params.get("name").asText());
            }
        }
        message.set("params", params);
        return post(http, message.toString());
    }

    static ObjectNode params() {
        return JSON.createObjectNode();
    }

    static ObjectNode call(String tool, Map<String, ?> arguments) {
        ObjectNode params = params().put("name", tool);
        params.set("arguments", JSON.valueToTree(arguments));
        return params;
    }

    JsonNode tool(String tool, Map<String, ?> arguments) {
        return request("tools/call", call(tool, arguments));
    }

    /** The text of a tool that succeeded. */
    String text(String tool, Map<String, ?> arguments) {
        JsonNode result = tool(tool, arguments);
        assertThat(result.path("isError").asBoolean()).as(result.toString()).isFalse();
        return result.at("/content/0/text").asText();
    }

    /** The text of a tool that failed. */
    String error(String tool, Map<String, ?> arguments) {
        JsonNode result = tool(tool, arguments);
        assertThat(result.path("isError").asBoolean()).as(result.toString()).isTrue();
        return result.at("/content/0/text").asText();
    }
}
