package svc.rest.request;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import svc.rest.error.RestError;
import svc.rest.request.QueryString.Parameter;

/** The arguments of a function call. */
public sealed interface Arguments {
    Payload.Row NO_ROW = new Payload.Row("{}", Set.of());

    /** The argument names; none for a whole body. */
    Set<String> names();

    /** Named values of a query string or a form; a repeated name has several values, in order. */
    record Texts(Map<String, List<String>> values) implements Arguments {
        public Texts {
            values = values.entrySet().stream()
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> List.copyOf(entry.getValue())));
        }

        @Override
        public Set<String> names() {
            return values.keySet();
        }
    }

    /**
     * A JSON body.
     *
     * @param row its object, or the first object of its array; otherwise {@code {}}
     * @param body the whole body
     * @param uniform false for an array that does not consist of objects with the same keys, which has no argument names
     */
    record Json(Payload.Row row, String body, boolean uniform) implements Arguments {
        @Override
        public Set<String> names() {
            return uniform ? row.keys() : Set.of();
        }
    }

    /** The first line of a CSV body. */
    record Line(Payload.Row row) implements Arguments {
        @Override
        public Set<String> names() {
            return row.keys();
        }
    }

    /**
     * A body for a single unnamed parameter.
     *
     * @param type the name of the parameter's type: text, xml, bytea
     * @param value as the type's input text
     */
    record Whole(String type, String value) implements Arguments {
        @Override
        public Set<String> names() {
            return Set.of();
        }
    }

    /** Arguments from the parameters of a query string that are neither filters nor reserved. */
    static Arguments ofQuery(Collection<Parameter> parameters) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        parameters.forEach(parameter -> values.computeIfAbsent(parameter.key(), unused -> new ArrayList<>())
                .add(parameter.value()));
        return new Texts(values);
    }

    /** @param type content type, in lower case and without parameters */
    static Arguments ofBody(String type, byte[] body) {
        return switch (type) {
            case "application/json", "" -> json(body);
            case "application/x-www-form-urlencoded" ->
                ofQuery(Payload.formFields(body).parameters());
            case "text/csv" -> new Line(Payload.csv(body).first());
            case "text/plain" -> new Whole("text", Payload.text(body));
            case "text/xml" -> new Whole("xml", Payload.text(body));
            case "application/octet-stream" -> new Whole("bytea", hex(body));
            default -> throw RestError.invalidBody("Content-Type not acceptable: " + type);
        };
    }

    /** Objects name arguments; a function with a single unnamed parameter accepts any other value. */
    private static Arguments json(byte[] body) {
        if (body.length == 0) {
            return new Json(NO_ROW, NO_ROW.json(), true);
        }
        String text = Payload.text(body);
        JsonBody read = JsonBody.of(text);
        Payload.Row row = read.size() == 0
                ? NO_ROW
                : new Payload.Row(read.first().json(), read.first().keys());
        return switch (read.shape()) {
            case OBJECT, OBJECTS -> new Json(row, text, read.keys() != JsonBody.Keys.DIFFERENT);
            case LIST -> new Json(NO_ROW, text, false);
            case SCALAR -> new Json(NO_ROW, text, true);
        };
    }

    /** Binary data as PostgreSQL's text input of bytea. */
    static String hex(byte[] bytes) {
        return "\\x" + HexFormat.of().formatHex(bytes);
    }
}
