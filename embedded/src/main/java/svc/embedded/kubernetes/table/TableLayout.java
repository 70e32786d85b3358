package svc.embedded.kubernetes.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;

/** The columns of a resource in a {@code Table}, which kubectl requests for printing. */
public record TableLayout(List<Column> columns) {
    private static final Column NAME = new Column(
            "Name",
            "string",
            "name",
            "Name must be unique within a namespace.",
            0,
            (object, now) -> JsonNodeFactory.instance.textNode(Meta.name(object)));
    static final Column AGE = Column.age(
            "Age", object -> Meta.of(object).path("creationTimestamp").asText());

    /** Which part of an object goes with its row. */
    public enum Include {
        NONE,
        METADATA,
        OBJECT
    }

    /** Name, the given columns, nothing else. */
    static TableLayout of(List<Column> columns) {
        List<Column> all = new ArrayList<>(columns);
        all.addFirst(NAME);
        return new TableLayout(List.copyOf(all));
    }

    /** The layout that a custom resource declares; Name and Age when it declares none. */
    public static TableLayout declared(JsonNode additionalPrinterColumns) {
        List<Column> columns = new ArrayList<>();
        additionalPrinterColumns.forEach(declaration -> columns.add(Column.declared(declaration)));
        return of(columns.isEmpty() ? List.of(AGE) : columns);
    }

    /** The Table of some objects.
     *
     * @param listMeta the metadata of the list, or of the watch event */
    public ObjectNode render(JsonNode listMeta, List<? extends JsonNode> objects, Include include, Instant now) {
        ObjectNode table = Json.object();
        table.put("kind", "Table").put("apiVersion", "meta.k8s.io/v1").set("metadata", listMeta);
        ArrayNode definitions = table.putArray("columnDefinitions");
        columns.forEach(column -> definitions.add(column.definition()));
        ArrayNode rows = table.putArray("rows");
        for (JsonNode object : objects) {
            ObjectNode row = rows.addObject();
            ArrayNode cells = row.putArray("cells");
            columns.forEach(column -> cells.add(cell(column, object, now)));
            switch (include) {
                case NONE -> {}
                case METADATA -> row.set("object", partial(object));
                case OBJECT -> row.set("object", object);
            }
        }
        return table;
    }

    /** The {@code PartialObjectMetadata} of an object. */
    public static ObjectNode partial(JsonNode object) {
        ObjectNode partial = Json.object().put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", Meta.of(object));
        return partial;
    }

    private static JsonNode cell(Column column, JsonNode object, Instant now) {
        JsonNode value = column.cell().of(object, now);
        return value == null ? NullNode.getInstance() : value;
    }
}
