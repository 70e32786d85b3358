package svc.management.function;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.google.re2j.Pattern;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.crds.function.EdgeFunction;
import svc.crds.project.ProjectIdentity;
import svc.functions.log.FunctionLog;
import svc.functions.log.LogLine;
import svc.functions.log.LogUnavailableException;
import svc.management.function.FunctionDeployer.DeployOptions;
import svc.management.function.FunctionDeployer.Target;
import svc.management.tool.Feature;
import svc.management.tool.Parameter;
import svc.management.tool.Parameter.Kind;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolCall;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** The tools of edge functions. */
@ApplicationScoped
class FunctionTools implements ToolGroup {
    private static final Pattern ROOT = Pattern.compile("^/+(?:tmp/[^/]+/)?(?:source/)?");

    private static final int MAX_LINES = 200;
    private static final int USUAL_LINES = 50;
    private static final int MAX_LINE_LENGTH = 500;
    private static final String FILE = "file:";

    private final Functions functions;
    private final FunctionViews views;
    private final FunctionDeployer deploys;
    private final FunctionLog log;

    FunctionTools(Functions functions, FunctionViews views, FunctionDeployer deploys, FunctionLog log) {
        this.functions = functions;
        this.views = views;
        this.deploys = deploys;
        this.log = log;
    }

    @Override
    public List<Tool> tools() {
        var slug = Parameter.required("function_slug", Kind.TEXT, "The function's name");
        return List.of(
                new Tool(
                        "list_edge_functions",
                        Feature.FUNCTIONS,
                        "List edge functions",
                        "Lists the edge functions of the project.",
                        Effect.READS,
                        true,
                        List.of(),
                        call -> ToolResult.json(new Page(functions.list(call.by(), call.project()).stream()
                                .map(this::listed)
                                .toList()))),
                new Tool(
                        "get_edge_function",
                        Feature.FUNCTIONS,
                        "Get edge function",
                        "Gets the files of an edge function as they were deployed last.",
                        Effect.READS,
                        true,
                        List.of(slug),
                        this::get),
                new Tool(
                        "deploy_edge_function",
                        Feature.FUNCTIONS,
                        "Deploy edge function",
                        "Deploys an edge function, or a new version of it, and waits until it serves. The code runs in"
                                + " Deno and handles requests by Deno.serve or by a default export. Files of a folder"
                                + " _shared/ are part of the function.",
                        Effect.DESTROYS,
                        true,
                        List.of(
                                Parameter.required("name", Kind.TEXT, "The function's name: letters, digits, _ and -"),
                                Parameter.optional(
                                        "entrypoint_path", Kind.TEXT, "Which of the files it is; index.ts if omitted"),
                                Parameter.optional(
                                        "import_map_path", Kind.TEXT, "Which of the files the import map is"),
                                Parameter.optional(
                                        "verify_jwt",
                                        Kind.FLAG,
                                        "Whether a call needs a valid token; true if omitted. Turn it off only for"
                                                + " webhooks and the like"),
                                Parameter.required("files", Kind.FILES, "The files with their contents")),
                        this::deploy),
                new Tool(
                        "get_function_logs",
                        Feature.DEBUGGING,
                        "Get function logs",
                        "Gets the last log lines of an edge function, oldest first.",
                        Effect.READS,
                        true,
                        List.of(
                                slug,
                                Parameter.optional(
                                        "limit",
                                        Kind.NUMBER,
                                        "Lines, 1 to " + MAX_LINES + "; " + USUAL_LINES + " if omitted")),
                        this::logs));
    }

    /** A function. What needs its code is omitted in a list. */
    record Listed(
            String id,
            String slug,
            String name,
            FunctionState status,
            Long version,
            Long createdAt,
            Long updatedAt,
            Boolean verifyJwt,
            Boolean importMap,
            String importMapPath,
            String entrypointPath,
            String url) {
        static Listed of(FunctionBodies.View view) {
            return new Listed(
                    view.id(),
                    view.slug(),
                    view.name(),
                    view.status(),
                    view.version(),
                    view.createdAt(),
                    view.updatedAt(),
                    view.verifyJwt(),
                    view.importMap(),
                    view.importMapPath(),
                    view.entrypointPath(),
                    view.url());
        }

        /** With the paths of the code that was deployed. */
        Listed with(FunctionSource source) {
            return new Listed(
                    id,
                    slug,
                    name,
                    status,
                    version,
                    createdAt,
                    updatedAt,
                    verifyJwt,
                    source.importMap().isPresent(),
                    source.importMap().orElse(null),
                    source.entrypoint(),
                    url);
        }
    }

    record Page(List<Listed> functions) {}

    /** A function with its files. */
    record Code(@JsonUnwrapped Listed function, List<File> files) {}

    record File(String name, String content) {}

    record Line(String time, String level, String message) {}

    private Listed listed(EdgeFunction function) {
        return Listed.of(views.of(function));
    }

    private ToolResult get(ToolCall call) {
        EdgeFunction function = functions.get(call.by(), call.project(), call.text("function_slug"));
        FunctionBodies.View view = views.withCode(function, functions.archive(call.by(), call.project(), function));
        if (view.source() == null) {
            throw Problem.of(ProblemCode.FUNCTION_NOT_FOUND, "The code of the function is not available.")
                    .withHint("Deploy it again.")
                    .asException();
        }
        List<File> files = new ArrayList<>(List.of(new File(view.entrypointPath(), view.source())));
        Optional.ofNullable(view.files())
                .ifPresent(others -> others.forEach((name, content) -> files.add(new File(name, content))));
        return ToolResult.json(new Code(Listed.of(view), files));
    }

    private ToolResult deploy(ToolCall call) {
        String name = FunctionName.checked(call.text("name"), "/name");
        Map<String, String> files = new LinkedHashMap<>();
        call.files("files").forEach((path, content) -> files.put(relative(path), content));
        String entrypoint = relative(call.optionalText("entrypoint_path").orElse(FunctionSource.USUAL_ENTRYPOINT));
        var form = new FunctionForm(
                new FunctionForm.Metadata(
                        name,
                        entrypoint,
                        call.optionalText("import_map_path")
                                .map(FunctionTools::relative)
                                .orElse(null),
                        null),
                files);
        FunctionSource source = form.source(name);
        EdgeFunction deployed = deploys.deploy(
                call.by(),
                call.project(),
                source,
                new DeployOptions(call.optionalFlag("verify_jwt"), Optional.empty(), Target.EITHER));
        return ToolResult.json(listed(deployed).with(source));
    }

    /** A model that saw a function's address as a file URL writes one. */
    private static String relative(String path) {
        if (!path.startsWith(FILE)) {
            return path;
        }
        try {
            String decoded = Optional.ofNullable(URI.create(path).getPath()).orElse(path);
            return ROOT.matcher(decoded).replaceFirst("");
        } catch (IllegalArgumentException e) {
            return path;
        }
    }

    private ToolResult logs(ToolCall call) {
        String name = call.text("function_slug");
        functions.get(call.by(), call.project(), name);
        int limit = Math.max(1, Math.min(MAX_LINES, call.number("limit", USUAL_LINES)));
        var project = ProjectIdentity.of(functions.project(call.by(), call.project()));
        try {
            return ToolResult.data(log.read(project.projectId(), name, Optional.empty(), limit).stream()
                    .map(FunctionTools::line)
                    .toList());
        } catch (LogUnavailableException e) {
            throw Problem.of(ProblemCode.FUNCTION_LOGS_UNAVAILABLE, "The function logs are unavailable.")
                    .withHint("Call the tool again.")
                    .asException(e);
        }
    }

    private static Line line(LogLine line) {
        String message = line.message();
        return new Line(
                line.time().toString(),
                line.level().name(),
                message.length() > MAX_LINE_LENGTH ? message.substring(0, MAX_LINE_LENGTH) + "…" : message);
    }
}
