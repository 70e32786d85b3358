package svc.storage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Calls of the service over HTTP. The first part of a path is the project's ref. */
abstract class StorageHttp {
    static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Where the service listens on the loopback interface. */
    abstract int port();

    /** An answer, its body as text and, where it is JSON, read. */
    record Answer(int status, byte[] bytes, HttpResponse<byte[]> http) {
        String body() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        JsonNode json() {
            try {
                return JSON.readTree(body());
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("no JSON: " + body(), e);
            }
        }

        String text(String name) {
            return json().path(name).asText();
        }

        String header(String name) {
            return http.headers().firstValue(name).orElse("");
        }

        /** {@code statusCode error message}, as clients read it. */
        String refusal() {
            return text("statusCode") + " " + text("error") + ": " + text("message");
        }

        @Override
        public String toString() {
            return status + " " + body();
        }
    }

    Answer call(String ref, String method, String path, String bearer) {
        return send(ref, method, path, bearer, BodyPublishers.noBody());
    }

    Answer call(String ref, String method, String path, String bearer, String json, String... headers) {
        return send(ref, method, path, bearer, BodyPublishers.ofString(json), headers);
    }

    /** Uploads a raw body. */
    Answer upload(String ref, String path, String bearer, byte[] body, String... headers) {
        return send(ref, "POST", "/object/" + path, bearer, BodyPublishers.ofByteArray(body), headers);
    }

    Answer upload(String ref, String path, String bearer, String body, String... headers) {
        return upload(ref, path, bearer, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    Answer get(String ref, String path, String bearer, String... headers) {
        return send(ref, "GET", path, bearer, BodyPublishers.noBody(), headers);
    }

    Answer send(String ref, String method, String path, String bearer, BodyPublisher body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/" + ref + path))
                .timeout(Duration.ofSeconds(60))
                .method(method, body);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        if (!bearer.isEmpty()) {
            request.header("Authorization", "Bearer " + bearer);
        }
        try {
            HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
            return new Answer(answer.statusCode(), answer.body(), answer);
        } catch (IOException e) {
            throw new IllegalStateException("while asking " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
