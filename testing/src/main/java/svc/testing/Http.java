package svc.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;

/** A client for the server under test, one request at a time, with any Host header. Immutable. */
public record Http(String host, Map<String, String> headers) {
    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The control plane, with a token. */
    public static Http api(String token) {
        return new Http("api.svc.example", Map.of()).with("Authorization", "Bearer " + token);
    }

    public static Http host(String host) {
        return new Http(host, Map.of());
    }

    public static Http project(String ref) {
        return new Http(ref + ".data.example", Map.of());
    }

    public Http with(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return new Http(host, all);
    }

    /** A response; the body is parsed if it is JSON. */
    public record Answer(HttpResponse<String> response) {
        public int status() {
            return response.statusCode();
        }

        public Optional<String> header(String name) {
            return response.headers().firstValue(name);
        }

        public String text() {
            return response.body();
        }

        public JsonNode json() {
            try {
                return JSON.readTree(response.body());
            } catch (IOException e) {
                throw new AssertionError("not JSON: " + response.body(), e);
            }
        }

        public String code() {
            return json().path("code").asText();
        }

        @Override
        public String toString() {
            return status() + " " + response.headers().map() + "\n" + text();
        }
    }

    public Answer get(String path) {
        return send("GET", path, HttpRequest.BodyPublishers.noBody());
    }

    public Answer send(String method, String path) {
        return send(method, path, HttpRequest.BodyPublishers.noBody());
    }

    public Answer send(String method, String path, String body) {
        return send(method, path, HttpRequest.BodyPublishers.ofString(body));
    }

    public Answer send(String method, String path, HttpRequest.BodyPublisher body) {
        return new Answer(sent(method, path, body, HttpResponse.BodyHandlers.ofString()));
    }

    /** A response that is read line by line while it arrives; close it. */
    public HttpResponse<Stream<String>> lines(String path) {
        return sent("GET", path, HttpRequest.BodyPublishers.noBody(), HttpResponse.BodyHandlers.ofLines());
    }

    private <T> HttpResponse<T> sent(
            String method, String path, HttpRequest.BodyPublisher body, HttpResponse.BodyHandler<T> reader) {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(TIMEOUT)
                .method(method, body)
                .header("Host", host);
        headers.forEach(request::header);
        try {
            return CLIENT.send(request.build(), reader);
        } catch (IOException e) {
            throw new AssertionError(method + " " + path + " was not answered", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
