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
 * text, whatever the catalog says of its type.
 */
record RoutineHead(Identifier name, List<Parameter> parameters, String returns) {
    /** How PostgreSQL names a block without a name of its own. */
    private static final Identifier BLOCK = Identifier.of("inline_code_block");

    RoutineHead {
        parameters = List.copyOf(parameters);
    }

    /** @param mode a word of CREATE FUNCTION */
    private record Parameter(String mode, Optional<Identifier> name) {
        boolean returned() {
            return mode.equals("OUT") || mode.equals("INOUT");
        }

        String sql() {
            return mode
                    + name.map(known -> " " + known.sql()).orElse("")
                    + (mode.equals("VARIADIC") ? " text[]" : " text");
        }
    }

    /** @param statement CREATE FUNCTION, CREATE PROCEDURE or DO */
    static RoutineHead of(Statement statement) {
        JsonNode tree = statement.tree();
        if (!statement.kind().equals("CreateFunctionStmt")) {
            return new RoutineHead(BLOCK, List.of(), " RETURNS void");
        }
        List<Parameter> parameters = new ArrayList<>();
        for (JsonNode element : tree.path("parameters")) {
            JsonNode parameter = element.path("FunctionParameter");
            parameters.add(new Parameter(
                    mode(parameter.path("mode").asText()),
                    Optional.ofNullable(parameter.path("name").textValue()).map(Identifier::of)));
        }
        long returned = parameters.stream().filter(Parameter::returned).count();
        return new RoutineHead(
                Identifier.of(lastName(tree.path("funcname"))), parameters, returns(tree.path("returnType"), returned));
    }

    List<Identifier> parameterNames() {
        return parameters.stream()
                .flatMap(parameter -> parameter.name().stream())
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
        if (type.path("setof").asBoolean()) {
            return returned > 1 ? " RETURNS SETOF record" : " RETURNS SETOF text";
        }
        if (returned > 0) {
            return "";
        }
        return switch (lastName(type.path("names"))) {
            case "trigger" -> " RETURNS trigger";
            case "", "void", "event_trigger" -> " RETURNS void";
            default -> " RETURNS text";
        };
    }

    private static String lastName(JsonNode parts) {
        return parts.path(parts.size() - 1).path("String").path("sval").asText();
    }
}
