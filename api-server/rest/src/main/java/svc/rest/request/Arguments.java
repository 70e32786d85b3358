package svc.rest.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
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

/** What a caller gives to a function. */
public sealed interface Arguments {
    Payload.Row NO_ROW = new Payload.Row("{}", Set.of());

    /** The names that are given; none for a whole body. */
    Set<String> names();

    /** Named values of a query string or a form: of each name all of its values, in their order. */
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
     * @param row its object, or the first of its array; {@code {}} when it holds none
     * @param body all of it
     * @param alike false for a list of anything else than objects with the same keys: it names nothing
     */
    record Json(Payload.Row row, String body, boolean alike) implements Arguments {
        @Override
        public Set<String> names() {
            return alike ? row.keys() : Set.of();
        }
    }

    /**
     * A body for a function that takes it whole.
     *
     * @param type the name of the parameter's type: text, xml, bytea
     * @param value as that type reads it
     */
    record Whole(String type, String value) implements Arguments {
        @Override
        public Set<String> names() {
            return Set.of();
        }
    }

    /** The parameters of a query string that are no filters and no words of the API. */
    static Arguments ofQuery(Collection<Parameter> parameters) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        parameters.forEach(parameter -> values.computeIfAbsent(parameter.key(), unused -> new ArrayList<>())
                .add(parameter.value()));
        return new Texts(values);
    }

    /** @param type of the body, in lower case and without parameters */
    static Arguments ofBody(String type, byte[] body) {
        return switch (type) {
            case "application/json", "" -> json(body);
            case "application/x-www-form-urlencoded" ->
                ofQuery(QueryString.ofForm(Payload.text(body)).parameters());
            case "text/csv" -> ofRows(Payload.csv(body));
            case "text/plain" -> new Whole("text", Payload.text(body));
            case "text/xml" -> new Whole("xml", Payload.text(body));
            case "application/octet-stream" ->
                new Whole("bytea", "\\x" + HexFormat.of().formatHex(body));
            default -> throw RestError.body("Content-Type not acceptable: " + type);
        };
    }

    /** Objects name parameters; any other value names none, and a function may still take it whole. */
    private static Arguments json(byte[] body) {
        if (body.length == 0) {
            return new Json(NO_ROW, NO_ROW.json(), true);
        }
        try {
            Payload rows = Payload.read(body);
            return new Json(rows.rows().stream().findFirst().orElse(NO_ROW), Payload.text(body), rows.alike());
        } catch (RestError e) {
            return new Json(NO_ROW, Payload.text(body), !isList(body));
        }
    }

    private static Arguments ofRows(Payload payload) {
        return new Json(payload.rows().stream().findFirst().orElse(NO_ROW), payload.json(), true);
    }

    /** Of exactly one JSON value; anything else is an error. */
    private static boolean isList(byte[] body) {
        try (JsonParser parser = new JsonFactory().createParser(body)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw RestError.body(Payload.INVALID);
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw RestError.body(Payload.INVALID);
            }
            return first == JsonToken.START_ARRAY;
        } catch (IOException e) {
            throw RestError.body(Payload.INVALID);
        }
    }
}
