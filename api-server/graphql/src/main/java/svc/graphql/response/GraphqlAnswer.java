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
 * @param run whether the operation was run
 * @param errors messages, as pg_graphql has them: without locations and paths
 */
public record GraphqlAnswer(int status, Optional<List<Entry>> data, boolean run, List<String> errors) {
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    public GraphqlAnswer {
        errors = List.copyOf(errors);
    }

    /** A root field: its response key, which is a name and needs no escapes, and its value as JSON text. */
    public record Entry(String key, byte[] json) {
        public static Entry of(String key, Optional<byte[]> json) {
            return new Entry(key, json.orElse(NULL));
        }
    }

    /** @param errors of fields that are left out */
    public static GraphqlAnswer of(List<Entry> data, List<String> errors) {
        return new GraphqlAnswer(200, Optional.of(List.copyOf(data)), true, errors);
    }

    /** An operation that was not run: the client's error. */
    public static GraphqlAnswer refused(String message) {
        return new GraphqlAnswer(200, Optional.empty(), false, List.of(message));
    }

    /** An operation that failed; nothing of it was done. */
    public static GraphqlAnswer failed(int status, String message) {
        return new GraphqlAnswer(status, Optional.empty(), true, List.of(message));
    }

    /** A request that could not be read. */
    public static GraphqlAnswer invalid(int status, String message) {
        return new GraphqlAnswer(status, Optional.empty(), false, List.of(message));
    }

    public int status(AnswerMedia media) {
        return status == 200 && !run && media == AnswerMedia.GRAPHQL_RESPONSE ? 400 : status;
    }

    /** The body: UTF-8 JSON. */
    public byte[] body(AnswerMedia media) {
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
        } else if (run || media == AnswerMedia.JSON) {
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
