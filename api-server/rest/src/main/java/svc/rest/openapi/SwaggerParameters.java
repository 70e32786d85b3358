package svc.rest.openapi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import svc.catalog.Routine;
import svc.catalog.Table;

/** The named parameters of an OpenAPI 2.0 document, under PostgREST's names. */
final class SwaggerParameters {
    private SwaggerParameters() {}

    static ObjectNode of(List<Table> tables) {
        ObjectNode parameters = JsonNodeFactory.instance.objectNode();
        prefer(parameters, "preferParams", List.of());
        prefer(parameters, "preferReturn", List.of("return=representation", "return=minimal", "return=none"));
        prefer(parameters, "preferCount", List.of("count=none"));
        prefer(
                parameters,
                "preferPost",
                List.of(
                        "return=representation",
                        "return=minimal",
                        "return=none",
                        "resolution=ignore-duplicates",
                        "resolution=merge-duplicates"));
        text(parameters, "select", "select", "query", "Filtering Columns");
        text(parameters, "on_conflict", "on_conflict", "query", "On Conflict");
        text(parameters, "order", "order", "query", "Ordering");
        text(parameters, "range", "Range", "header", "Limiting and Pagination");
        text(parameters, "rangeUnit", "Range-Unit", "header", "Limiting and Pagination")
                .put("default", "items");
        text(parameters, "offset", "offset", "query", "Limiting and Pagination");
        text(parameters, "limit", "limit", "query", "Limiting and Pagination");
        tables.forEach(table -> ofTable(parameters, table));
        return parameters;
    }

    private static void ofTable(ObjectNode parameters, Table table) {
        ObjectNode body = parameters.putObject("body." + table.name());
        body.put("name", table.name()).put("description", table.name());
        body.put("required", false).put("in", "body");
        body.set("schema", SwaggerDocument.reference("definitions", table.name()));
        for (Table.Column column : table.columns()) {
            parameters.set("rowFilter." + table.name() + "." + column.name(), DeferredNode.of(() -> rowFilter(column)));
        }
    }

    private static ObjectNode rowFilter(Table.Column column) {
        ObjectNode filter = JsonNodeFactory.instance.objectNode();
        filter.put("name", column.name()).put("required", false);
        filter.put("in", "query").put("type", "string");
        column.description().ifPresent(text -> filter.put("description", text));
        return filter;
    }

    /** A function's parameter in the query string of GET. */
    static ObjectNode argument(Routine.Parameter parameter) {
        TypeSchema type = TypeSchema.ofParameter(parameter.type());
        ObjectNode argument = JsonNodeFactory.instance.objectNode();
        argument.put("name", parameter.name()).put("required", parameter.required());
        argument.put("in", "query");
        if (parameter.variadic() && type.element().isPresent()) {
            argument.put("type", "array").put("collectionFormat", "multi");
            TypeSchema element = type.element().orElseThrow();
            ObjectNode items = argument.putObject("items").put("format", element.shown());
            items.put("type", element.type().orElse("string"));
        } else {
            // In a query string an array is written as {…}, and JSON as text.
            argument.put("format", type.shown());
            argument.put(
                    "type", type.type().filter(name -> !name.equals("array")).orElse("string"));
        }
        return argument;
    }

    private static void prefer(ObjectNode parameters, String name, List<String> values) {
        ObjectNode prefer = text(parameters, name, "Prefer", "header", "Preference");
        if (!values.isEmpty()) {
            prefer.set("enum", SwaggerDocument.texts(values));
        }
    }

    private static ObjectNode text(ObjectNode parameters, String key, String name, String in, String description) {
        ObjectNode parameter = parameters.putObject(key);
        parameter.put("name", name).put("description", description);
        return parameter.put("required", false).put("in", in).put("type", "string");
    }
}
