package svc.sqlgate.block;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import svc.database.sql.Identifier;
import svc.sqlgate.parser.Statement;

/**
 * What the statements of a body may do because of the statement around it: its name, the names and modes of its
 * parameters, and whether it returns rows, a value or nothing. The types themselves are left out: every parameter is a
 * text or a cursor, whatever the catalog says of its type. A result of a polymorphic type has the name $0.
 */
record RoutineHead(Identifier name, List<Parameter> parameters, String returns) {
    /** How PostgreSQL names a block without a name of its own. */
    private static final Identifier BLOCK = Identifier.of("inline_code_block");

    RoutineHead {
        parameters = List.copyOf(parameters);
    }

    /** @param mode a word of CREATE FUNCTION */
    record Parameter(String mode, Optional<Identifier> name, String type) {
        boolean returned() {
            return mode.equals("OUT") || mode.equals("INOUT");
        }

        String sql() {
            return mode + name.map(known -> " " + known.sql()).orElse("") + " " + type;
        }
    }

    /** @param statement CREATE FUNCTION, CREATE PROCEDURE or DO */
    static RoutineHead of(Statement statement) {
        JsonNode tree = statement.tree();
        if (!statement.kind().equals("CreateFunctionStmt")) {
            return new RoutineHead(BLOCK, List.of(), " RETURNS void");
        }
        boolean polymorphic = lastName(tree.path("returnType").path("names")).startsWith("any");
        List<Parameter> parameters = new ArrayList<>();
        for (JsonNode element : tree.path("parameters")) {
            parameters.add(parameter(element.path("FunctionParameter"), polymorphic));
        }
        boolean returned = parameters.stream().anyMatch(Parameter::returned);
        if (polymorphic
                && !returned
                && parameters.stream().noneMatch(p -> p.type().equals("anyarray"))) {
            // Behind the others, whose numbers stay.
            parameters.add(new Parameter("IN", Optional.empty(), "anyelement"));
        }
        return new RoutineHead(
                Identifier.of(lastName(tree.path("funcname"))),
                parameters,
                returns(
                        tree.path("returnType"),
                        parameters.stream().filter(Parameter::returned).count()));
    }

    private static Parameter parameter(JsonNode tree, boolean polymorphic) {
        String mode = mode(tree.path("mode").asText());
        JsonNode type = tree.path("argType");
        boolean cursor = lastName(type.path("names")).equals("refcursor")
                && type.path("arrayBounds").isEmpty();
        return new Parameter(
                mode,
                Optional.ofNullable(tree.path("name").textValue()).map(Identifier::of),
                mode.equals("VARIADIC") ? polymorphic ? "anyarray" : "text[]" : cursor ? "refcursor" : "text");
    }

    /** Those that have a name. */
    List<Parameter> named() {
        return parameters.stream()
                .filter(parameter -> parameter.name().isPresent())
                .toList();
    }

    /** CREATE FUNCTION up to its body. */
    String sql() {
        return "CREATE FUNCTION " + name.sql()
                + parameters.stream().map(Parameter::sql).collect(Collectors.joining(", ", "(", ")")) + returns
                + " LANGUAGE plpgsql AS ";
    }

    /** The columns of RETURNS TABLE are variables that are returned, like parameters of the mode OUT. */
    private static String mode(String mode) {
        return switch (mode) {
            case "FUNC_PARAM_OUT", "FUNC_PARAM_TABLE" -> "OUT";
            case "FUNC_PARAM_INOUT" -> "INOUT";
            case "FUNC_PARAM_VARIADIC" -> "VARIADIC";
            default -> "IN";
        };
    }

    private static String returns(JsonNode type, long returned) {
        boolean rows = type.path("setof").asBoolean();
        if (returned > 0) {
            return rows ? returned > 1 ? " RETURNS SETOF record" : " RETURNS SETOF text" : "";
        }
        String name = lastName(type.path("names"));
        return switch (name) {
            case "trigger" -> " RETURNS trigger";
            case "", "void", "event_trigger" -> " RETURNS void";
            default -> " RETURNS " + (rows ? "SETOF " : "") + (name.startsWith("any") ? "anyelement" : "text");
        };
    }

    private static String lastName(JsonNode parts) {
        return parts.path(parts.size() - 1).path("String").path("sval").asText();
    }
}
