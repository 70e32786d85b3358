package svc.graphql.response;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * An answer.
 *
 * @param status where the media type does not decide; 200 otherwise
 * @param data the root fields in order; empty if the operation was not run, or failed
 * @param stage how far the operation came
 * @param errors messages, as pg_graphql has them: without locations and paths
 */
public record GraphqlResponse(int status, Optional<List<Entry>> data, Stage stage, List<String> errors) {
    /** How far an operation came. */
    public enum Stage {
        /** The request or the document is wrong. */
        READ,
        /** A field is wrong. */
        PLANNED,
        RUN
    }

    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    public GraphqlResponse {
        errors = List.copyOf(errors);
    }

    /** A root field: its response key, which is a name and needs no escapes, and its value as JSON text. */
    public record Entry(String key, byte[] json) {
        public static Entry of(String key, Optional<byte[]> json) {
            return new Entry(key, json.orElse(NULL));
        }
    }

    /** @param errors of fields that are left out; without any other field nothing was run */
    public static GraphqlResponse of(List<Entry> data, List<String> errors) {
        return data.isEmpty() && !errors.isEmpty()
                ? new GraphqlResponse(200, Optional.empty(), Stage.PLANNED, errors)
                : new GraphqlResponse(200, Optional.of(List.copyOf(data)), Stage.RUN, errors);
    }

    /** An operation that was not run: the client's error. */
    public static GraphqlResponse refused(String message) {
        return new GraphqlResponse(200, Optional.empty(), Stage.PLANNED, List.of(message));
    }

    /** An operation that failed; nothing of it was done. */
    public static GraphqlResponse failed(int status, String message) {
        return new GraphqlResponse(status, Optional.empty(), Stage.RUN, List.of(message));
    }

    /** A request or a document that is wrong; the answer has no data. */
    public static GraphqlResponse invalid(int status, String message) {
        return new GraphqlResponse(status, Optional.empty(), Stage.READ, List.of(message));
    }

    public int status(ResponseMedia media) {
        return status == 200 && stage != Stage.RUN && media == ResponseMedia.GRAPHQL_RESPONSE ? 400 : status;
    }

    /** The body: UTF-8 JSON. */
    public byte[] body(ResponseMedia media) {
        var out = new ByteArrayOutputStream(64
                + data.map(all -> all.stream()
                                .mapToInt(one -> one.json().length + 40)
                                .sum())
                        .orElse(0));
        out.write('{');
        if (data.isPresent()) {
            ascii(out, "\"data\":{");
            String separator = "\"";
            for (Entry entry : data.get()) {
                ascii(out, separator);
                ascii(out, entry.key());
                ascii(out, "\":");
                out.writeBytes(entry.json());
                separator = ",\"";
            }
            out.write('}');
        } else if (stage == Stage.RUN || stage == Stage.PLANNED && media == ResponseMedia.JSON) {
            ascii(out, "\"data\":null");
        }
        if (!errors.isEmpty()) {
            ascii(out, out.size() == 1 ? "\"errors\":[" : ",\"errors\":[");
            for (int i = 0; i < errors.size(); i++) {
                ascii(out, i == 0 ? "{\"message\":\"" : ",{\"message\":\"");
                out.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(errors.get(i)));
                ascii(out, "\"}");
            }
            out.write(']');
        }
        out.write('}');
        return out.toByteArray();
    }

    private static void ascii(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
