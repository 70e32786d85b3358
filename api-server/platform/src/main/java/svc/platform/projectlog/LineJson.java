package svc.platform.projectlog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Lines as a JSON array of objects with the short names that the writer of the control plane reads: p project, s source, v
 * severity, t microseconds, r request id, m message, q method, h path, c status, d duration in microseconds, b bytes, u user
 * agent, a attributes. Without credentials and without characters that PostgreSQL has no text for.
 */
final class LineJson {
    private static final JsonFactory JSON = new JsonFactory();
    private static final char REPLACEMENT = '\uFFFD';

    private LineJson() {}

    static String of(List<ProjectLine> lines) {
        var text = new StringWriter(lines.size() * 256);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartArray();
            for (ProjectLine line : lines) {
                write(json, line);
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException("while writing lines to memory", e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, ProjectLine line) throws IOException {
        json.writeStartObject();
        json.writeStringField("p", line.projectId().toString());
        json.writeNumberField("s", line.source().number());
        json.writeNumberField("v", line.severity().ordinal());
        json.writeNumberField("t", line.micros());
        text(json, "r", line.requestId());
        text(json, "m", line.message());
        if (line.request().isPresent()) {
            ProjectLine.Request request = line.request().get();
            text(json, "q", request.method());
            text(json, "h", request.path());
            json.writeNumberField("c", request.status());
            json.writeNumberField("d", request.micros());
            json.writeNumberField("b", request.bytes());
            text(json, "u", request.userAgent());
        }
        if (!line.attributes().isEmpty()) {
            json.writeObjectFieldStart("a");
            for (Map.Entry<String, String> attribute : line.attributes().entrySet()) {
                text(json, attribute.getKey(), attribute.getValue());
            }
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void text(JsonGenerator json, String name, String value) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(name, SecretMask.of(storable(value)));
        }
    }

    /** Without NUL and halves of surrogate pairs. */
    static String storable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            if (one == 0 || Character.isSurrogate(one)) {
                return replaced(text);
            }
        }
        return text;
    }

    private static String replaced(String text) {
        var kept = new StringBuilder(text.length());
        text.codePoints()
                .map(point -> point == 0 || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)
                        ? REPLACEMENT
                        : point)
                .forEach(kept::appendCodePoint);
        return kept.toString();
    }
}
