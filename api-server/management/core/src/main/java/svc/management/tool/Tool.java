package svc.management.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A tool. Names and parameters are those of Supabase's MCP server, which agents know, where it has the tool.
 *
 * @param ofProject whether it works on one project: then it takes {@code project_id}, unless the address names a project
 */
public record Tool(
        String name,
        Feature feature,
        String title,
        String description,
        Effect effect,
        boolean ofProject,
        List<Parameter> parameters,
        Handler handler) {
    /** The name of the parameter that names the project. */
    public static final String PROJECT = "project_id";

    private static final Parameter PROJECT_ID =
            Parameter.required(PROJECT, Parameter.Kind.TEXT, "The project's ref, from list_projects");

    /** What a call may change; clients get it as hints, which are those of Supabase's server where it has the tool. */
    public enum Effect {
        /** Nothing. */
        READS(false, true, false),
        /** SQL that reads where the client is read-only. */
        READS_IF_ASKED(true, false, true),
        /** Adds or changes something. */
        WRITES(false, false, false),
        /** Sets something: a second call with the same arguments changes nothing more. */
        SETS(false, true, false),
        /** May remove something. */
        DESTROYS(true, false, false),
        /** Runs SQL of the caller: it may remove something, and extensions may reach other systems. */
        RUNS_SQL(true, false, true);

        private final boolean destructive;
        private final boolean idempotent;
        private final boolean openWorld;

        Effect(boolean destructive, boolean idempotent, boolean openWorld) {
            this.destructive = destructive;
            this.idempotent = idempotent;
            this.openWorld = openWorld;
        }
    }

    /** Runs a call. */
    @FunctionalInterface
    public interface Handler {
        ToolResult call(ToolCall call);
    }

    public Tool {
        parameters = List.copyOf(parameters);
    }

    /** Whether a read-only client has it. */
    public boolean readable() {
        return effect == Effect.READS || effect == Effect.READS_IF_ASKED;
    }

    private List<Parameter> parameters(boolean scoped) {
        return ofProject && !scoped
                ? Stream.concat(Stream.of(PROJECT_ID), parameters.stream()).toList()
                : parameters;
    }

    /**
     * Its entry in {@code tools/list}.
     *
     * @param scoped whether the address names the project
     * @param readOnly whether the client changes nothing
     */
    public ObjectNode listed(boolean scoped, boolean readOnly) {
        ObjectNode tool = JsonNodeFactory.instance.objectNode();
        tool.put("name", name).put("title", title).put("description", description);
        ObjectNode schema = tool.putObject("inputSchema").put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        parameters(scoped).forEach(parameter -> properties.set(parameter.name(), parameter.schema()));
        List<String> required = parameters(scoped).stream()
                .filter(Parameter::required)
                .map(Parameter::name)
                .toList();
        if (!required.isEmpty()) {
            required.forEach(schema.putArray("required")::add);
        }
        schema.put("additionalProperties", false);
        boolean reads = effect == Effect.READS || effect == Effect.READS_IF_ASKED && readOnly;
        tool.putObject("annotations")
                .put("title", title)
                .put("readOnlyHint", reads)
                .put("destructiveHint", !reads && effect.destructive)
                .put("idempotentHint", reads || effect.idempotent)
                .put("openWorldHint", effect.openWorld);
        return tool;
    }

    /** What is wrong with the arguments of a call; empty if nothing is. */
    public Optional<String> fault(JsonNode arguments, boolean scoped) {
        List<Parameter> known = parameters(scoped);
        for (var argument : arguments.properties()) {
            Optional<Parameter> parameter = known.stream()
                    .filter(one -> one.name().equals(argument.getKey()))
                    .findFirst();
            if (parameter.isEmpty()) {
                return Optional.of("The tool " + name + " has no parameter " + argument.getKey() + "; it has "
                        + known.stream().map(Parameter::name).toList() + ".");
            }
            if (!(argument.getValue().isNull() && !parameter.get().required())
                    && !parameter.get().accepts(argument.getValue())) {
                return Optional.of("The argument " + argument.getKey() + " must be "
                        + parameter.get().rule() + ".");
            }
        }
        return known.stream()
                .filter(parameter -> parameter.required() && !arguments.has(parameter.name()))
                .findFirst()
                .map(parameter -> "The argument " + parameter.name() + " is missing: " + parameter.rule() + ".");
    }
}
