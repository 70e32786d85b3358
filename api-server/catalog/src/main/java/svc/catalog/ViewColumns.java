package svc.catalog;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.util.Map;

/**
 * The origins of a view's columns by their attribute numbers. They are parsed while the catalog is read: a view's query takes
 * megabytes, if its owner wants it to, and a schema may have any number of views.
 */
@JsonDeserialize(using = ViewColumns.OfRule.class)
record ViewColumns(Map<Integer, ViewRule.Origin> origins) {
    /** Reads the node tree without keeping it. */
    static final class OfRule extends StdDeserializer<ViewColumns> {
        private static final long serialVersionUID = 1;

        OfRule() {
            super(ViewColumns.class);
        }

        @Override
        public ViewColumns deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return new ViewColumns(ViewRule.origins(parser.getText()));
        }
    }
}
