package svc.catalog;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Interns the strings of one load: names like {@code id} and defaults like {@code now()} repeat often. */
final class StringInterner extends StdScalarDeserializer<String> {
    private static final long serialVersionUID = 1;
    private static final Object ATTRIBUTE = StringInterner.class;

    StringInterner() {
        super(String.class);
    }

    /** The reader attribute that holds the strings of one load. */
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
