package svc.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import svc.platform.tenancy.Tenant;

/** One operation and the assertions on its answer. */
public final class GraphqlCall {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Tenant tenant;
    private final ObjectNode body = JSON.createObjectNode();
    private final Map<String, String> headers = new LinkedHashMap<>();
    private HttpResponse<String> answer;

    GraphqlCall(Tenant tenant, String query) {
        this.tenant = tenant;
        body.put("query", query);
        headers.put("Content-Type", "application/json");
    }

    /** Parses JSON that may have single quotes. */
    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    public GraphqlCall variables(String json) {
        body.set("variables", json(json));
        return this;
    }

    public GraphqlCall operation(String name) {
        body.put("operationName", name);
        return this;
    }

    public GraphqlCall header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** As a signed-in user. */
    public GraphqlCall as(String user) {
        return header("Test-Role", user);
    }

    /** @param expected the value of {@code data}; quotes may be single */
    public GraphqlCall answers(String expected) {
        JsonNode got = read();
        assertThat(got.path("errors").toString()).as("errors of %s", body).isEmpty();
        assertThat(got.path("data")).as("%s", body).isEqualTo(json(expected));
        return this;
    }

    /** Asserts an error with this message and no data, with status 200. */
    public GraphqlCall fails(String message) {
        JsonNode got = read();
        assertThat(got.path("errors").path(0).path("message").asText())
                .as("%s: %s", body, got)
                .isEqualTo(message);
        assertThat(got.path("data").isNull()).as("%s", got).isTrue();
        return status(200);
    }

    /** Asserts an error of the document with this message: the answer has no data. */
    public GraphqlCall refused(String message) {
        JsonNode got = read();
        assertThat(got.path("errors").path(0).path("message").asText())
                .as("%s: %s", body, got)
                .isEqualTo(message);
        assertThat(got.has("data")).as("%s", got).isFalse();
        return status(200);
    }

    public GraphqlCall failsLike(String part) {
        JsonNode got = read();
        assertThat(got.path("errors").path(0).path("message").asText())
                .as("%s: %s", body, got)
                .contains(part);
        return status(200);
    }

    public GraphqlCall status(int expected) {
        assertThat(answer().statusCode()).as("%s: %s", body, answer().body()).isEqualTo(expected);
        return this;
    }

    /** The whole answer. */
    public JsonNode read() {
        try {
            return JSON.readTree(answer().body());
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + answer().body(), e);
        }
    }

    public JsonNode data() {
        JsonNode got = read();
        assertThat(got.path("errors").toString()).as("errors of %s", body).isEmpty();
        return got.path("data");
    }

    public HttpResponse<String> answer() {
        if (answer == null) {
            answer = GraphqlFixture.SERVICE.request(tenant, "POST", "/", headers, body.toString());
        }
        return answer;
    }
}
