package svc.rest.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import svc.catalog.DataType;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Routine;
import svc.catalog.Table;

/** The schemas of an OpenAPI 3.1 document: for each table a row, the body of an insert and the body of an update. */
final class OpenApi31Schemas {
    static final String ROW = "row";
    static final String NEW = "new";
    static final String CHANGES = "changes";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final ApiDescription api;
    private final Map<QualifiedIdentifier, Table> tables;

    OpenApi31Schemas(ApiDescription api) {
        this.api = api;
        this.tables = api.tables().stream().collect(Collectors.toMap(Table::id, table -> table));
    }

    ObjectNode all() {
        ObjectNode schemas = JSON.objectNode();
        for (Table table : api.tables()) {
            schemas.set(key(table, ROW), DeferredNode.of(() -> table(table, column -> !column.nullable())));
            schemas.set(key(table, NEW), DeferredNode.of(() -> table(table, OpenApi31Schemas::isRequired)));
            schemas.set(key(table, CHANGES), DeferredNode.of(() -> table(table, column -> false)));
        }
        return schemas;
    }

    /**
     * Component names may contain letters, digits and {@code . _ -} only; other characters of a table's name are
     * hex-encoded.
     */
    private static String key(Table table, String use) {
        StringBuilder key = new StringBuilder();
        table.name().codePoints().forEach(c -> {
            if (c < 128 && (Character.isLetterOrDigit(c) || c == '_')) {
                key.appendCodePoint(c);
            } else {
                key.append('-').append(Integer.toHexString(c)).append('-');
            }
        });
        return key.append('.').append(use).toString();
    }

    ObjectNode reference(Table table, String use) {
        return SwaggerDocument.reference("components/schemas", key(table, use));
    }

    /** The body of an insert. */
    ObjectNode oneOrMany(Table table) {
        ObjectNode schema = JSON.objectNode();
        ArrayNode forms = schema.putArray("oneOf");
        forms.add(reference(table, NEW));
        forms.addObject().put("type", "array").set("items", reference(table, NEW));
        return schema;
    }

    private static boolean isRequired(Table.Column column) {
        return !column.nullable() && column.defaultValue().isEmpty() && column.generation() == Table.Generation.NONE;
    }

    private ObjectNode table(Table table, Predicate<Table.Column> required) {
        ObjectNode schema = JSON.objectNode().put("type", "object");
        table.description().ifPresent(text -> schema.put("description", text));
        var notes = new ColumnNotes(table, api.schema().relationships());
        ObjectNode properties = schema.putObject("properties");
        for (Table.Column column : table.columns()) {
            ObjectNode property = type(column.dataType(), column.maxLength());
            if (column.nullable()) {
                nullable(property);
            }
            notes.description(column).ifPresent(text -> property.put("description", text));
            TypeSchema type = TypeSchema.of(column.dataType());
            column.defaultValue().flatMap(type::constant).ifPresent(value -> property.set("default", value));
            if (column.generation() == Table.Generation.STORED) {
                property.put("readOnly", true);
            }
            properties.set(column.name(), property);
        }
        require(
                schema,
                table.columns().stream()
                        .filter(required)
                        .map(Table.Column::name)
                        .toList());
        return schema;
    }

    private static void nullable(ObjectNode property) {
        if (property.hasNonNull("type")) {
            String type = property.get("type").textValue();
            property.putArray("type").add(type).add("null");
        }
        if (property.get("enum") instanceof ArrayNode labels) {
            labels.addNull();
        }
    }

    ObjectNode arguments(Routine routine) {
        ObjectNode schema = JSON.objectNode();
        if (routine.unnamedParameter().isPresent()) {
            return schema;
        }
        schema.put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        routine.parameters()
                .forEach(parameter -> properties.set(parameter.name(), type(parameter.type(), Optional.empty())));
        require(
                schema,
                routine.parameters().stream()
                        .filter(Routine.Parameter::required)
                        .map(Routine.Parameter::name)
                        .toList());
        return schema;
    }

    ObjectNode result(Routine routine) {
        Routine.ReturnType returns = routine.returns();
        ObjectNode one = switch (returns.shape()) {
            case SCALAR -> type(returns.type(), Optional.empty());
            case COMPOSITE ->
                returns.relation()
                        .flatMap(name -> Optional.ofNullable(tables.get(name)))
                        .map(table -> reference(table, ROW))
                        .orElseGet(() -> JSON.objectNode().put("type", "object"));
            case COLUMNS -> columns(returns.columns());
            case RECORD, VOID -> JSON.objectNode();
        };
        if (!returns.setOf()) {
            return one;
        }
        ObjectNode many = JSON.objectNode().put("type", "array");
        many.set("items", one);
        return many;
    }

    private ObjectNode columns(List<Routine.Output> columns) {
        ObjectNode schema = JSON.objectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        columns.forEach(column -> properties.set(column.name(), type(column.type(), Optional.empty())));
        return schema;
    }

    ObjectNode type(DataType type, Optional<Integer> maxLength) {
        ObjectNode schema = SwaggerDocument.typed(JSON.objectNode(), TypeSchema.of(type));
        List<String> labels = type.underlying().enumValues();
        if (!labels.isEmpty()) {
            schema.set("enum", SwaggerDocument.texts(labels));
        }
        maxLength.ifPresent(length -> schema.put("maxLength", length));
        return schema;
    }

    private static void require(ObjectNode schema, List<String> names) {
        if (!names.isEmpty()) {
            schema.set("required", SwaggerDocument.texts(names));
        }
    }
}
