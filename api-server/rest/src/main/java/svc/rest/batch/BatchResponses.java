package svc.rest.batch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import svc.rest.response.Response;

/** Renders the response of a batch. */
public final class BatchResponses {
    private static final JsonFactory JSON = new JsonFactory();

    private BatchResponses() {}

    /** An array with status, headers and body of each response, in the order of the requests. */
    public static Response of(List<Response> responses) {
        return json(200, out -> {
            out.writeStartArray();
            for (Response answer : responses) {
                write(out, answer);
            }
            out.writeEndArray();
        });
    }

    /** The error response of the failed item, with its zero-based index in the key {@code request}. */
    public static Response failed(Response answer, int request) {
        Response with = json(answer.status(), out -> {
            String error = new String(answer.body(), StandardCharsets.UTF_8);
            out.writeRaw(error, 0, error.lastIndexOf('}'));
            out.writeRaw(",\"request\":" + request + "}");
        });
        Map<String, String> headers = new LinkedHashMap<>(answer.headers());
        headers.putAll(with.headers());
        return new Response(answer.status(), headers, answer.additionalHeaders(), with.body());
    }

    private static void write(JsonGenerator out, Response answer) throws IOException {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(answer.headers());
        answer.additionalHeaders()
                .forEach(header -> headers.merge(header.name(), header.value(), (a, b) -> a + ", " + b));
        out.writeStartObject();
        out.writeNumberField("status", answer.status());
        out.writeObjectFieldStart("headers");
        for (Map.Entry<String, String> header : headers.entrySet()) {
            out.writeStringField(header.getKey(), header.getValue());
        }
        out.writeEndObject();
        out.writeFieldName("body");
        String type = headers.getOrDefault("Content-Type", "");
        String body = new String(answer.body(), StandardCharsets.UTF_8);
        if (body.isEmpty()) {
            out.writeNull();
        } else if (type.startsWith("application/") && type.split(";", 2)[0].endsWith("json")) {
            out.writeRawValue(body);
        } else {
            out.writeString(body);
        }
        out.writeEndObject();
    }

    @FunctionalInterface
    private interface Writing {
        void to(JsonGenerator out) throws IOException;
    }

    private static Response json(int status, Writing writing) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            writing.to(out);
        } catch (IOException e) {
            throw new IllegalStateException("while writing the responses of a batch", e);
        }
        return new Response(status, Map.of("Content-Type", "application/json; charset=utf-8"), bytes.toByteArray());
    }
}
