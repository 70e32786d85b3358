package svc.rest.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import svc.catalog.Routine;
import svc.catalog.Table;

/** Writes OpenAPI 3.1: the paths of OpenAPI 2.0, with nullability, request bodies and response schemas. Pure. */
final class OpenApi31Document {
    private static final String JSON_TYPE = "application/json";

    private final JsonNodeFactory json = JsonNodeFactory.instance;
    private final OpenApi31Schemas schemas;
    private final ApiDescription api;

    private OpenApi31Document(ApiDescription api) {
        this.api = api;
        this.schemas = new OpenApi31Schemas(api);
    }

    static ObjectNode of(ApiDescription api) {
        return new OpenApi31Document(api).document();
    }

    private ObjectNode document() {
        ObjectNode document = json.objectNode().put("openapi", "3.1.0");
        document.set("info", SwaggerDocument.info(api));
        document.putArray("servers").addObject().put("url", api.url().toString());
        ObjectNode paths = document.putObject("paths");
        ObjectNode root = paths.putObject("/").putObject("get");
        root.put("operationId", "description").putArray("tags").add("Introspection");
        root.put("summary", "OpenAPI description (this document)");
        root.putObject("responses").putObject("200").put("description", "OK");
        api.tables().forEach(table -> paths.set("/" + table.name(), DeferredNode.of(() -> path(table))));
        api.routines()
                .forEach(routine -> paths.set("/rpc/" + routine.id().name(), DeferredNode.of(() -> path(routine))));
        ObjectNode components = document.putObject("components");
        components.set("schemas", schemas.all());
        components.set("parameters", parameters());
        ObjectNode schemes = components.putObject("securitySchemes");
        schemes.putObject("apikey").put("type", "apiKey").put("name", "apikey").put("in", "header");
        schemes.putObject("bearer").put("type", "http").put("scheme", "bearer").put("bearerFormat", "JWT");
        ArrayNode security = document.putArray("security");
        security.addObject().putArray("apikey");
        security.addObject().putArray("bearer");
        return document;
    }

    private ObjectNode path(Table table) {
        ObjectNode path = json.objectNode();
        ObjectNode get = operation(path, "get", "read", table.name(), table.description());
        ArrayNode parameters = filters(get, table);
        List.of("select", "order", "limit", "offset", "Range", "Prefer").forEach(name -> parameters.add(shared(name)));
        rows(get, "200", "The rows", table);
        rows(get, "206", "A part of the rows, when a count was requested", table);
        Table.Mutability admits = table.mutability();
        if (admits.insertable()) {
            ObjectNode post = operation(path, "post", "insert", table.name(), table.description());
            ArrayNode given = post.putArray("parameters");
            List.of("select", "columns", "on_conflict", "Prefer").forEach(name -> given.add(shared(name)));
            body(post, schemas.oneOrMany(table));
            rows(post, "201", "Created; the rows with Prefer: return=representation", table);
        }
        if (admits.updatable()) {
            ObjectNode patch = operation(path, "patch", "update", table.name(), table.description());
            ArrayNode given = filters(patch, table);
            List.of("select", "columns", "Prefer").forEach(name -> given.add(shared(name)));
            body(patch, schemas.reference(table, OpenApi31Schemas.CHANGES));
            changed(patch, table);
        }
        if (admits.deletable()) {
            ObjectNode delete = operation(path, "delete", "delete", table.name(), table.description());
            ArrayNode given = filters(delete, table);
            List.of("select", "Prefer").forEach(name -> given.add(shared(name)));
            changed(delete, table);
        }
        return path;
    }

    private ObjectNode path(Routine routine) {
        ObjectNode path = json.objectNode();
        String name = "rpc/" + routine.id().name();
        if (routine.volatility() != Routine.Volatility.VOLATILE) {
            ObjectNode get = operation(path, "get", "read", name, routine.description());
            ArrayNode parameters = get.putArray("parameters");
            for (Routine.Parameter parameter : routine.parameters()) {
                if (!parameter.name().isEmpty()) {
                    ObjectNode one = parameters.addObject().put("name", parameter.name());
                    one.put("in", "query").put("required", parameter.required());
                    one.set("schema", schemas.type(parameter.type(), Optional.empty()));
                }
            }
            result(get, routine);
        }
        ObjectNode post = operation(path, "post", "call", name, routine.description());
        body(post, schemas.arguments(routine));
        result(post, routine);
        return path;
    }

    private static ObjectNode operation(
            ObjectNode path, String method, String verb, String name, Optional<String> comment) {
        ObjectNode operation = path.putObject(method).put("operationId", verb + " " + name);
        operation.putArray("tags").add(name);
        ApiDescription.summary(comment).ifPresent(text -> operation.put("summary", text));
        ApiDescription.details(comment).ifPresent(text -> operation.put("description", text));
        return operation;
    }

    private static ArrayNode filters(ObjectNode operation, Table table) {
        ArrayNode parameters = operation.putArray("parameters");
        for (Table.Column column : table.columns()) {
            ObjectNode filter = parameters.addObject().put("name", column.name());
            filter.put("in", "query");
            column.description().ifPresent(text -> filter.put("description", text));
            filter.putObject("schema").put("type", "string");
        }
        return parameters;
    }

    private void rows(ObjectNode operation, String status, String description, Table table) {
        ObjectNode schema = json.objectNode().put("type", "array");
        schema.set("items", schemas.reference(table, OpenApi31Schemas.ROW));
        answer(operation, status, description).set("schema", schema);
    }

    private void changed(ObjectNode operation, Table table) {
        rows(operation, "200", "The rows, with Prefer: return=representation", table);
        operation.withObjectProperty("responses").putObject("204").put("description", "No Content");
    }

    private void result(ObjectNode operation, Routine routine) {
        if (routine.returns().shape() == Routine.Shape.VOID) {
            operation.withObjectProperty("responses").putObject("204").put("description", "No Content");
        } else {
            answer(operation, "200", "What the function returns").set("schema", schemas.result(routine));
        }
    }

    private static ObjectNode answer(ObjectNode operation, String status, String description) {
        return operation
                .withObjectProperty("responses")
                .putObject(status)
                .put("description", description)
                .putObject("content")
                .putObject(JSON_TYPE);
    }

    private static void body(ObjectNode operation, ObjectNode schema) {
        operation
                .putObject("requestBody")
                .putObject("content")
                .putObject(JSON_TYPE)
                .set("schema", schema);
    }

    private static ObjectNode shared(String name) {
        return SwaggerDocument.reference("components/parameters", name);
    }

    private ObjectNode parameters() {
        ObjectNode parameters = json.objectNode();
        for (String name : List.of("select", "order", "columns", "on_conflict")) {
            parameter(parameters, name, "query", "string");
        }
        parameter(parameters, "limit", "query", "integer");
        parameter(parameters, "offset", "query", "integer");
        parameter(parameters, "Range", "header", "string");
        parameter(parameters, "Prefer", "header", "string");
        return parameters;
    }

    private static void parameter(ObjectNode parameters, String name, String in, String type) {
        ObjectNode parameter = parameters.putObject(name).put("name", name).put("in", in);
        parameter.putObject("schema").put("type", type);
    }
}
