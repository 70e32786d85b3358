package svc.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import svc.platform.tenancy.Tenant;
import svc.rest.testing.TestingDataPlane;

/** One request and the assertions on its response. */
public final class RestCall {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final TestingDataPlane plane;
    private final Tenant tenant;
    private final String method;
    private final String path;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private String body;
    private HttpResponse<String> answer;

    private RestCall(TestingDataPlane plane, Tenant tenant, String method, String path) {
        this.plane = plane;
        this.tenant = tenant;
        this.method = method;
        this.path = path;
    }

    /** @param request method, path and query: {@code GET /todos?id=eq.1} */
    public static RestCall ask(TestingDataPlane plane, Tenant tenant, String request) {
        String[] parts = request.split(" ", 2);
        return new RestCall(plane, tenant, parts[0], parts[1]);
    }

    public RestCall header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    public RestCall prefer(String value) {
        return header("Prefer", value);
    }

    public RestCall body(String json) {
        this.body = json;
        return this;
    }

    public RestCall status(int expected) {
        assertThat(answer().statusCode())
                .as("%s %s: %s", method, path, answer().body())
                .isEqualTo(expected);
        return this;
    }

    public RestCall answers(String expected) {
        assertThat(answer().body().replace(", \n ", ","))
                .as("%s %s", method, path)
                .isEqualTo(expected);
        return this;
    }

    public RestCall contains(String expected) {
        assertThat(answer().body()).as("%s %s", method, path).contains(expected);
        return this;
    }

    public RestCall hasNoText(String unexpected) {
        assertThat(answer().body()).as("%s %s", method, path).doesNotContain(unexpected);
        return this;
    }

    /** Asserts the length of the body, in characters. */
    public RestCall isShorterThan(int length) {
        assertThat(answer().body().length()).as("%s %s", method, path).isLessThan(length);
        return this;
    }

    public RestCall has(String header, String expected) {
        assertThat(answer().headers().firstValue(header))
                .as("%s of %s %s", header, method, path)
                .contains(expected);
        return this;
    }

    /** Asserts all values of a header, in order. */
    public RestCall hasAll(String header, String... expected) {
        assertThat(answer().headers().allValues(header))
                .as("%s of %s %s", header, method, path)
                .containsExactly(expected);
        return this;
    }

    public RestCall hasNot(String header) {
        assertThat(answer().headers().firstValue(header))
                .as("%s of %s %s", header, method, path)
                .isEmpty();
        return this;
    }

    /** Asserts an error with this status and code. */
    public RestCall fails(int status, String code) {
        return status(status)
                .contains("\"code\":\"" + code + "\"")
                .contains("\"details\":")
                .contains("\"hint\":");
    }

    /** Asserts the body byte for byte, with PostgreSQL's line breaks between rows. */
    public RestCall answersExactly(String expected) {
        assertThat(answer().body()).as("%s %s", method, path).isEqualTo(expected);
        return this;
    }

    /** Asserts a parse error with this message and these details. */
    public RestCall cannotBeParsed(String message, String details) {
        fails(400, "PGRST100");
        try {
            JsonNode error = JSON.readTree(answer().body());
            assertThat(error.get("message").asText()).as("%s %s", method, path).isEqualTo(message);
            assertThat(error.get("details").asText()).as("%s %s", method, path).isEqualTo(details);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
        return this;
    }

    /** The body of the response. */
    public String text() {
        return answer().body();
    }

    private HttpResponse<String> answer() {
        if (answer == null) {
            answer = plane.request(tenant, method, path, headers, body);
        }
        return answer;
    }
}
