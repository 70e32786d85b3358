package svc.server.cost;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The ways in which a JSON text can be made longer: each text, each list, names, nesting, blanks, numbers. */
final class LongJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Stands where a part of the sample is replaced. */
    private static final String PLACE = "@place@";

    private static final String QUOTED = "\"" + PLACE + "\"";

    /** A long text. @param text of about so many bytes */
    record Form(String name, IntFunction<String> text) {}

    private final List<Form> forms = new ArrayList<>();
    private final JsonNode root;

    private LongJson(String sample) {
        this.root = read(sample);
    }

    /** Every form of a sample. */
    static Stream<Form> of(String sample) {
        var json = new LongJson(sample);
        json.whole();
        json.within(json.root, "");
        return json.forms.stream();
    }

    private void add(String name, IntFunction<String> text) {
        forms.add(new Form(name, text));
    }

    private void whole() {
        add("lists in lists", LongJson::lists);
        add("objects in objects", n -> Shape.repeat("{\"a\":", n) + "1" + Shape.repeat("}", n / 5));
        add("leading blanks", n -> Shape.BLANKS.text(n) + root);
        add("names", LongJson::names);
        add("one name again and again", n -> "{" + Shape.repeat("\"a\":1,", n) + "\"a\":1}");
        add("a long name", n -> "{\"" + Shape.COMBINING_MARKS.text(n) + "\":1}");
        add("a long number", n -> "{\"a\":" + Shape.repeat("1", n) + "}");
    }

    private void within(JsonNode at, String pointer) {
        if (at instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> part(object.get(name), pointer + "/" + name, value -> object.set(name, value)));
        } else if (at instanceof ArrayNode list) {
            IntStream.range(0, list.size())
                    .forEach(index -> part(list.get(index), pointer + "/" + index, value -> list.set(index, value)));
        }
    }

    private void part(JsonNode value, String pointer, Consumer<JsonNode> set) {
        set.accept(TextNode.valueOf(PLACE));
        String around = root.toString();
        set.accept(value);
        if (value.isTextual()) {
            for (Shape shape : Shape.values()) {
                add(pointer + " of " + shape, n -> around.replace(PLACE, inJson(value.textValue() + shape.text(n))));
            }
            add(pointer + " of unicode escapes", n -> around.replace(PLACE, Shape.repeat("\\u0316\\u0301", n)));
        } else if (value.isContainerNode()) {
            add(pointer + " of names", n -> around.replace(QUOTED, names(n)));
            add(pointer + " of lists in lists", n -> around.replace(QUOTED, lists(n)));
            if (value.isArray() && !value.isEmpty()) {
                String element = value.get(0).toString();
                add(
                        pointer + " of elements",
                        n -> around.replace(QUOTED, "[" + Shape.repeat(element + ",", n) + element + "]"));
            }
            within(value, pointer);
        }
    }

    private static String lists(int bytes) {
        return Shape.repeat("[", bytes / 2) + Shape.repeat("]", bytes / 2);
    }

    private static String names(int bytes) {
        return "{" + Dimension.numbered("\"p", "\":\"a\",", bytes) + "\"a\":1}";
    }

    private static String inJson(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    private static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }
}
