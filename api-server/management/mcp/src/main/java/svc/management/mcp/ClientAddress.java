package svc.management.mcp;

import io.vertx.core.MultiMap;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.management.mcp.token.McpCaller;
import svc.management.tool.Feature;
import svc.management.tool.Tool;
import svc.management.tool.ToolCall;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/**
 * What the client chose by its address, within what its token allows.
 *
 * @param project the only project; empty for a client of the account
 */
record ClientAddress(Optional<String> project, boolean readOnly, Set<Feature> features, boolean skipElicitations) {
    private static final Set<String> KNOWN = Set.of("project_ref", "read_only", "features", "skip_elicitations");

    /**
     * A misspelt parameter is refused: a client that believes that it is read-only must not write.
     *
     * @throws ProblemException 400, or 403 for a token of another project
     */
    static ClientAddress of(MultiMap query, McpCaller caller) {
        for (String name : query.names()) {
            if (!KNOWN.contains(name) || query.getAll(name).size() > 1) {
                throw Problem.of(
                                ProblemCode.INVALID_PARAMETER,
                                "The address has the parameter " + name + " twice, or it does not exist.")
                        .withHint("Parameters: project_ref, read_only, features, skip_elicitations.")
                        .asException();
            }
        }
        Optional<String> asked = Optional.ofNullable(query.get("project_ref")).map(ToolCall::ref);
        if (asked.isPresent() && caller.project().isPresent() && !asked.equals(caller.project())) {
            throw Problem.of(ProblemCode.MCP_PROJECT_FORBIDDEN, "This token is for another project.")
                    .asException();
        }
        return new ClientAddress(
                caller.project().or(() -> asked),
                caller.readOnly() || flag(query, "read_only"),
                features(query.get("features")),
                flag(query, "skip_elicitations"));
    }

    private static boolean flag(MultiMap query, String name) {
        String value = query.get(name);
        if (value == null || value.equals("false")) {
            return false;
        }
        if (!value.equals("true")) {
            throw Problem.of(ProblemCode.INVALID_PARAMETER, "The parameter " + name + " must be true or false.")
                    .asException();
        }
        return true;
    }

    private static Set<Feature> features(String csv) {
        if (csv == null) {
            return EnumSet.complementOf(EnumSet.of(Feature.STORAGE));
        }
        List<String> names = Arrays.stream(csv.split(",")).map(String::strip).toList();
        return names.stream()
                .map(name -> Feature.ofWire(name)
                        .orElseThrow(() -> Problem.of(
                                        ProblemCode.INVALID_PARAMETER, "There is no group of tools " + name + ".")
                                .withHint("Groups: "
                                        + Arrays.stream(Feature.values())
                                                .map(Feature::wire)
                                                .collect(Collectors.joining(", "))
                                        + ".")
                                .asException()))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Feature.class)));
    }

    /** Whether the client has a tool. */
    boolean shows(Tool tool) {
        return features.contains(tool.feature())
                && (!readOnly || tool.readable())
                && (project.isEmpty() || tool.feature() != Feature.ACCOUNT);
    }
}
