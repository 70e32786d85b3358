package svc.server.testing.function;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** Calls about the functions of one project. */
public record FunctionCalls(Http api, ProjectForTests project) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static FunctionCalls ofNewProject(String name) {
        return new FunctionCalls(Http.api(TestingPlatform.ADMIN), ProjectForTests.create(name));
    }

    public String path(String rest) {
        return "/v1/projects/" + project.ref() + "/functions" + rest;
    }

    public static String handler(String text) {
        return "export default (request: Request): Response => new Response('" + text + "');";
    }

    public static String json(Object body) {
        try {
            return JSON.writeValueAsString(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    public Http.Answer deploy(String name, String source) {
        return deploy(name, source, Map.of());
    }

    public Http.Answer deploy(String name, String source, Map<String, ?> more) {
        Map<String, Object> body = new LinkedHashMap<>(more);
        body.put("name", name);
        body.put("source", source);
        return api.send("POST", path("/deploy"), json(body));
    }

    public JsonNode deployed(String name, String source) {
        Http.Answer answer = deploy(name, source);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        boolean late = answer.json().path("status").asText().equals("COMING_UP") && !name.startsWith("stuck");
        return late ? active(name) : answer.json();
    }

    /** The function as soon as it is active: on a busy machine a deployment may answer before that. */
    private JsonNode active(String name) {
        await().until(() -> get(name).path("status").asText().equals("ACTIVE"));
        return get(name);
    }

    public JsonNode get(String name) {
        return api.get(path("/" + name)).json();
    }
}
