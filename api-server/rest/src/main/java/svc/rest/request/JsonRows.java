package svc.rest.request;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import svc.rest.error.RestError;

/** Writes rows of text fields as a JSON array. */
final class JsonRows {
    /** Each row repeats the keys, so that a small body can become a large array. In characters. */
    static final int MAX_LENGTH = 32 * 1024 * 1024;

    private static final String TOO_LONG =
            "The rows of the body exceed the limit of " + MAX_LENGTH + " characters as JSON";

    private final List<String> names;
    private final Set<String> keys;
    private final StringWriter written = new StringWriter();
    private final JsonGenerator out;
    private JsonBody.First first = JsonBody.First.NONE;
    private int size;

    /** @param names of the fields; of a repeated name the last field counts */
    JsonRows(Collection<String> names) {
        this.names = List.copyOf(names);
        this.keys = Collections.unmodifiableSet(new LinkedHashSet<>(names));
        try {
            out = JsonBodyReader.JSON.createGenerator(written);
            out.writeStartArray();
        } catch (IOException e) {
            throw unexpected(e);
        }
    }

    /** @param fields one for each name; null for JSON's null */
    void add(List<String> fields) {
        try {
            out.writeStartObject();
            for (int i = 0; i < names.size(); i++) {
                out.writeStringField(names.get(i), fields.get(i));
            }
            out.writeEndObject();
            if (size++ == 0) {
                out.flush();
                first = new JsonBody.First(written.toString().substring(1), keys);
            }
        } catch (IOException e) {
            throw unexpected(e);
        }
        if (written.getBuffer().length() > MAX_LENGTH) {
            throw RestError.invalidBody(TOO_LONG);
        }
    }

    JsonBody done() {
        try {
            out.writeEndArray();
            out.close();
        } catch (IOException e) {
            throw unexpected(e);
        }
        return new JsonBody(written.toString(), JsonBody.Shape.OBJECTS, size, first, JsonBody.Keys.SAME);
    }

    private static IllegalStateException unexpected(IOException e) {
        return new IllegalStateException("while writing a row as JSON", e);
    }
}
