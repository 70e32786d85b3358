package svc.graphql.schema;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import svc.platform.json.ForeignJson;

/**
 * The object of {@code @graphql({…})} inside the comment of a database object, pg_graphql's configuration. A directive that
 * is no JSON object, and a value of another type than the documented one, count as absent: a typo in a comment must not
 * take the API away.
 */
final class CommentDirective {
    private static final ObjectMapper JSON = ForeignJson.mapper();
    private static final String START = "@graphql(";

    /** Of an object without a directive. */
    static final CommentDirective NONE = new CommentDirective(MissingNode.getInstance());

    private final JsonNode node;

    private CommentDirective(JsonNode node) {
        this.node = node;
    }

    static CommentDirective of(Optional<String> comment) {
        int at = comment.map(text -> text.indexOf(START)).orElse(-1);
        return at < 0 ? NONE : read(comment.get().substring(at + START.length()));
    }

    /** Reads the first JSON value; what follows is the rest of the comment. */
    private static CommentDirective read(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            JsonNode found = JSON.readTree(parser);
            return found != null && found.isObject() ? new CommentDirective(found) : NONE;
        } catch (JsonProcessingException e) {
            return NONE;
        } catch (IOException e) {
            throw new UncheckedIOException("while reading a comment", e);
        }
    }

    boolean isPresent() {
        return node.isObject();
    }

    Optional<String> text(String key) {
        JsonNode value = node.path(key);
        return value.isTextual() ? Optional.of(value.textValue()) : Optional.empty();
    }

    Optional<Boolean> flag(String key) {
        JsonNode value = node.path(key);
        return value.isBoolean() ? Optional.of(value.booleanValue()) : Optional.empty();
    }

    /** {@code {"totalCount": {"enabled": true}}}. */
    boolean enabled(String feature) {
        return node.path(feature).path("enabled").asBoolean(false);
    }

    /** {@code max_rows}; pg_graphql ignores what is not positive. */
    OptionalInt maxRows() {
        JsonNode value = node.path("max_rows");
        return value.isInt() && value.intValue() > 0 ? OptionalInt.of(value.intValue()) : OptionalInt.empty();
    }

    List<String> texts(String key) {
        return texts(node.path(key));
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(element -> {
            if (element.isTextual()) {
                texts.add(element.textValue());
            }
        });
        return texts;
    }

    /** {@code mappings} of an enum: the GraphQL name of a label. */
    Optional<String> mapping(String label) {
        JsonNode value = node.path("mappings").path(label);
        return value.isTextual() ? Optional.of(value.textValue()) : Optional.empty();
    }

    /** A relationship that the comment of a view declares. */
    record DeclaredKey(
            Optional<String> localName,
            List<String> localColumns,
            Optional<String> foreignName,
            String foreignSchema,
            String foreignTable,
            List<String> foreignColumns) {}

    /** {@code foreign_keys}; incomplete ones are left out. */
    List<DeclaredKey> foreignKeys() {
        List<DeclaredKey> keys = new ArrayList<>();
        for (JsonNode key : node.path("foreign_keys")) {
            var one = new CommentDirective(key);
            List<String> local = one.texts("local_columns");
            List<String> foreign = one.texts("foreign_columns");
            if (!local.isEmpty()
                    && local.size() == foreign.size()
                    && one.text("foreign_table").isPresent()) {
                keys.add(new DeclaredKey(
                        one.text("local_name"),
                        local,
                        one.text("foreign_name"),
                        one.text("foreign_schema").orElse(""),
                        one.text("foreign_table").get(),
                        foreign));
            }
        }
        return keys;
    }
}
