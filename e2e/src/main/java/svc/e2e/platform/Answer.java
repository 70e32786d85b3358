package svc.e2e.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.util.Optional;

/** What a server answered to one request. */
public record Answer(HttpResponse<String> response) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public int status() {
        return response.statusCode();
    }

    public String body() {
        return response.body();
    }

    public Optional<String> header(String name) {
        return response.headers().firstValue(name);
    }

    /**
     * The body as JSON.
     *
     * @throws IllegalStateException when it is something else, with the whole answer
     */
    public JsonNode json() {
        try {
            return JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("not JSON: " + this, e);
        }
    }

    /** The same answer, when it has this status. @throws IllegalStateException with the whole answer otherwise */
    public Answer expect(int status) {
        if (status() != status) {
            throw new IllegalStateException("expected status " + status + ", got " + this);
        }
        return this;
    }

    @Override
    public String toString() {
        return status() + " " + response.uri() + " " + response.body();
    }
}
