package svc.rest.request;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.rest.error.RestError;
import svc.rest.request.JsonBody.Keys;
import svc.rest.request.JsonBody.Shape;

/**
 * The rows of a body as JSON text: PostgreSQL parses the values, so that no number passes through a Java type, and the
 * rows take no more memory than their text.
 */
public final class Payload {
    static final String INVALID = "Empty or invalid json";

    private static final int MAX_FIELDS = JsonBody.MAX_KEYS;

    private final JsonBody body;

    private final boolean texts;

    private Payload(JsonBody body, boolean texts) {
        this.body = body;
        this.texts = texts;
    }

    /** The text of one object and its keys. */
    public record Row(String json, Set<String> keys) {}

    /** Rows that have the same ones of the keys that matter, as the text of a JSON array. */
    public record KeyGroup(Set<String> keys, int size, String json) {}

    /** Parses a JSON body, which must be an object or an array of objects. */
    static Payload read(byte[] body) {
        JsonBody read = JsonBody.of(text(body));
        return switch (read.shape()) {
            case OBJECT, OBJECTS -> new Payload(read, false);
            case LIST -> throw mismatchedKeys();
            case SCALAR -> throw RestError.invalidBody(INVALID);
        };
    }

    /**
     * Parses CSV with a header line; {@code NULL} and an empty field are null, any other is text that PostgreSQL parses as
     * the column's type.
     */
    static Payload csv(byte[] body) {
        return new Payload(CsvBody.rows(text(body)), true);
    }

    /** Parses a form as one row, with the last value of a repeated name. */
    static Payload form(byte[] body) {
        Map<String, String> fields = new LinkedHashMap<>();
        formFields(body).parameters().forEach(field -> fields.put(field.key(), field.value()));
        var rows = new JsonRows(fields.keySet());
        rows.add(List.copyOf(fields.values()));
        return new Payload(rows.done(), true);
    }

    /** The fields of a form; more than a table has columns are refused. */
    static QueryString formFields(byte[] body) {
        int fields = 1;
        for (byte each : body) {
            fields += each == '&' ? 1 : 0;
        }
        if (fields > MAX_FIELDS) {
            throw RestError.invalidBody("The form exceeds the limit of " + MAX_FIELDS + " fields");
        }
        return QueryString.ofForm(text(body));
    }

    /** Whether each value is a text, as in CSV and forms: that of a JSON column, too, which is to be parsed. */
    public boolean texts() {
        return texts;
    }

    /** Number of rows. */
    public int size() {
        return body.size();
    }

    /** The first row; there must be one. */
    public Row first() {
        return new Row(body.first().json(), body.first().keys());
    }

    /** The rows as a JSON array. */
    public String json() {
        return body.shape() == Shape.OBJECT ? "[" + body.text() + "]" : body.text();
    }

    /** The keys of all rows, which must be the same. */
    public Set<String> commonKeys() {
        return switch (body.keys()) {
            case SAME -> body.first().keys();
            case DIFFERENT -> throw mismatchedKeys();
            case TOO_MANY ->
                throw RestError.invalidBody(
                        "The objects of the body exceed the limit of " + JsonBody.MAX_KEYS + " keys");
        };
    }

    /** Whether all rows have the same keys. */
    boolean uniform() {
        return body.keys() != Keys.DIFFERENT;
    }

    /**
     * The rows by which of {@code wanted} they have.
     *
     * @throws RestError PGRST102 for more than {@code most} groups
     */
    public List<KeyGroup> groups(Set<String> wanted, int most) {
        return KeyGroups.of(json(), wanted, most);
    }

    /** The error of rows with too many sets of keys. */
    public static RestError tooManyGroups(int most) {
        return RestError.invalidBody("The rows of the body exceed the limit of " + most + " different sets of keys");
    }

    /** The error of rows with different keys, or that are not objects. */
    public static RestError mismatchedKeys() {
        return RestError.invalidBody("All object keys must match");
    }

    /** Decodes a body as UTF-8; refuses NUL, which PostgreSQL's text cannot contain. */
    public static String text(byte[] body) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            if (text.indexOf('\0') < 0) {
                return text;
            }
        } catch (CharacterCodingException e) {
            throw RestError.invalidBody("The body is not valid UTF-8");
        }
        throw RestError.invalidBody("The body contains a NUL character");
    }
}
