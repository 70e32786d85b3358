package svc.rest.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.catalog.Routine;
import svc.catalog.Table;

/** Writes OpenAPI 2.0, with PostgREST's paths, definitions and parameters. Pure. */
final class SwaggerDocument {
    private static final List<String> TYPES = List.of(
            "application/json",
            "application/vnd.pgrst.object+json;nulls=stripped",
            "application/vnd.pgrst.object+json",
            "text/csv");

    private final JsonNodeFactory json = JsonNodeFactory.instance;
    private final ApiDescription api;

    private SwaggerDocument(ApiDescription api) {
        this.api = api;
    }

    static ObjectNode of(ApiDescription api) {
        return new SwaggerDocument(api).document();
    }

    private ObjectNode document() {
        ObjectNode document = json.objectNode().put("swagger", "2.0");
        document.set("info", info(api));
        URI url = api.url();
        int port = url.getPort() >= 0 ? url.getPort() : url.getScheme().equals("http") ? 80 : 443;
        document.put("host", url.getHost() + ":" + port);
        document.put("basePath", url.getPath().isEmpty() ? "/" : url.getPath());
        document.putArray("schemes").add(url.getScheme());
        document.set("consumes", texts(TYPES));
        document.set("produces", texts(TYPES));
        ObjectNode paths = document.putObject("paths");
        paths.set("/", rootPath());
        api.tables().forEach(table -> paths.set("/" + table.name(), DeferredNode.of(() -> path(table))));
        api.routines()
                .forEach(routine -> paths.set("/rpc/" + routine.id().name(), DeferredNode.of(() -> path(routine))));
        ObjectNode definitions = document.putObject("definitions");
        api.tables().forEach(table -> definitions.set(table.name(), DeferredNode.of(() -> definition(table))));
        document.set("parameters", SwaggerParameters.of(api.tables()));
        ObjectNode scheme = document.putObject("securityDefinitions").putObject("JWT");
        scheme.put("type", "apiKey").put("name", "Authorization").put("in", "header");
        scheme.put("description", "Add the token prepending \"Bearer \" (without quotes) to it");
        document.putArray("security").addObject().putArray("JWT");
        return document;
    }

    /** Shared by all formats. */
    static ObjectNode info(ApiDescription api) {
        ObjectNode info = JsonNodeFactory.instance.objectNode();
        info.put("title", ApiDescription.summary(api.comment()).orElse(api.title()));
        info.put(
                "description",
                ApiDescription.details(api.comment())
                        .orElse("The tables, views and functions of the project's schema"));
        info.put("version", "1");
        return info;
    }

    private ObjectNode rootPath() {
        ObjectNode path = json.objectNode();
        ObjectNode get = path.putObject("get");
        get.putArray("tags").add("Introspection");
        get.put("summary", "OpenAPI description (this document)");
        get.set("produces", texts(List.of("application/openapi+json", "application/json")));
        answers(get, "200", "OK");
        return path;
    }

    private ObjectNode path(Table table) {
        List<String> filters = table.columns().stream()
                .map(column -> "rowFilter." + table.name() + "." + column.name())
                .toList();
        String body = "body." + table.name();
        ObjectNode path = json.objectNode();
        ObjectNode get = operation(path, "get", table);
        refer(get, filters, List.of("select", "order", "range", "rangeUnit", "offset", "limit", "preferCount"));
        ObjectNode ok = answers(get, "200", "OK").putObject("schema").put("type", "array");
        ok.set("items", reference("definitions", table.name()));
        answers(get, "206", "Partial Content");
        Table.Mutability admits = table.mutability();
        if (admits.insertable() || admits.updatable() || admits.deletable()) {
            ObjectNode post = operation(path, "post", table);
            refer(post, List.of(body), List.of("select", "preferPost"));
            answers(post, "201", "Created");
            ObjectNode delete = operation(path, "delete", table);
            refer(delete, filters, List.of("preferReturn"));
            answers(delete, "204", "No Content");
            ObjectNode patch = operation(path, "patch", table);
            refer(patch, filters, List.of(body, "preferReturn"));
            answers(patch, "204", "No Content");
        }
        return path;
    }

    private ObjectNode operation(ObjectNode path, String method, Table table) {
        ObjectNode operation = path.putObject(method);
        operation.putArray("tags").add(table.name());
        comment(operation, table.description());
        return operation;
    }

    private static void comment(ObjectNode operation, Optional<String> comment) {
        ApiDescription.summary(comment).ifPresent(text -> operation.put("summary", text));
        ApiDescription.details(comment).ifPresent(text -> operation.put("description", text));
    }

    private ObjectNode path(Routine routine) {
        ObjectNode path = json.objectNode();
        if (routine.volatility() != Routine.Volatility.VOLATILE) {
            ObjectNode get = operation(path, "get", routine);
            ArrayNode parameters = get.putArray("parameters");
            routine.parameters().forEach(parameter -> parameters.add(SwaggerParameters.argument(parameter)));
        }
        ObjectNode post = operation(path, "post", routine);
        ArrayNode parameters = post.putArray("parameters");
        ObjectNode body =
                parameters.addObject().put("name", "args").put("in", "body").put("required", true);
        body.set("schema", arguments(routine));
        parameters.add(reference("parameters", "preferParams"));
        return path;
    }

    private ObjectNode operation(ObjectNode path, String method, Routine routine) {
        ObjectNode operation = path.putObject(method);
        operation.putArray("tags").add("(rpc) " + routine.id().name());
        comment(operation, routine.description());
        operation.set("produces", texts(TYPES.subList(0, 3)));
        answers(operation, "200", "OK");
        return operation;
    }

    private ObjectNode arguments(Routine routine) {
        ObjectNode schema = json.objectNode().put("type", "object");
        routine.description().ifPresent(text -> schema.put("description", text));
        List<String> required = new ArrayList<>();
        ObjectNode properties = schema.putObject("properties");
        for (Routine.Parameter parameter : routine.parameters()) {
            properties.set(parameter.name(), typed(json.objectNode(), TypeSchema.ofParameter(parameter.type())));
            if (parameter.required()) {
                required.add(parameter.name());
            }
        }
        if (!required.isEmpty()) {
            schema.set("required", texts(required));
        }
        return schema;
    }

    private ObjectNode definition(Table table) {
        ObjectNode schema = json.objectNode().put("type", "object");
        table.description().ifPresent(text -> schema.put("description", text));
        List<String> required = table.columns().stream()
                .filter(column -> !column.nullable())
                .map(Table.Column::name)
                .toList();
        if (!required.isEmpty()) {
            schema.set("required", texts(required));
        }
        var notes = new ColumnNotes(table, api.schema().relationships());
        ObjectNode properties = schema.putObject("properties");
        for (Table.Column column : table.columns()) {
            properties.set(column.name(), property(column, notes));
        }
        return schema;
    }

    private ObjectNode property(Table.Column column, ColumnNotes notes) {
        TypeSchema type = TypeSchema.of(column.dataType());
        ObjectNode property = typed(json.objectNode(), type);
        column.defaultValue().flatMap(type::constant).ifPresent(value -> property.set("default", value));
        notes.description(column).ifPresent(text -> property.put("description", text));
        List<String> labels = column.dataType().underlying().enumValues();
        if (!labels.isEmpty()) {
            property.set("enum", texts(labels));
        }
        column.maxLength().ifPresent(length -> property.put("maxLength", length));
        return property;
    }

    static ObjectNode typed(ObjectNode schema, TypeSchema type) {
        schema.put("format", type.shown());
        type.type().ifPresent(name -> schema.put("type", name));
        type.element().ifPresent(element -> {
            ObjectNode items = schema.putObject("items");
            element.type().ifPresent(name -> items.put("type", name));
        });
        return schema;
    }

    private void refer(ObjectNode operation, List<String> first, List<String> then) {
        ArrayNode parameters = operation.putArray("parameters");
        first.forEach(name -> parameters.add(reference("parameters", name)));
        then.forEach(name -> parameters.add(reference("parameters", name)));
    }

    private static ObjectNode answers(ObjectNode operation, String status, String description) {
        return operation.withObjectProperty("responses").putObject(status).put("description", description);
    }

    static ObjectNode reference(String where, String name) {
        return JsonNodeFactory.instance.objectNode().put("$ref", "#/" + where + "/" + JsonPointers.escaped(name));
    }

    static ArrayNode texts(List<String> values) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        values.forEach(array::add);
        return array;
    }
}
