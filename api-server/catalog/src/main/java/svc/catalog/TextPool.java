package svc.catalog;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Makes equal texts of one load the same object: names like {@code id} and defaults like {@code now()} repeat a lot. */
final class TextPool extends StdScalarDeserializer<String> {
    private static final long serialVersionUID = 1;
    private static final Object ATTRIBUTE = TextPool.class;

    TextPool() {
        super(String.class);
    }

    /** What a reader takes along as its attribute, one for each load. */
    static Map<Object, Object> attributes() {
        return Map.of(ATTRIBUTE, new HashMap<String, String>());
    }

    @Override
    @SuppressWarnings("unchecked")
    public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        String text = parser.getValueAsString();
        var pool = (Map<String, String>) context.getAttribute(ATTRIBUTE);
        return pool == null || text == null ? text : pool.computeIfAbsent(text, same -> same);
    }
}
