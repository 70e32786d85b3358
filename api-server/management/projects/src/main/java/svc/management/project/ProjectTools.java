package svc.management.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import svc.crds.project.Project;
import svc.management.tool.Feature;
import svc.management.tool.Parameter;
import svc.management.tool.Parameter.Kind;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolCall;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;
import svc.platform.config.ApiConfig;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** The tools of projects: the account's, and what an application needs to reach its project. */
@ApplicationScoped
class ProjectTools implements ToolGroup {
    private static final int MAX_LISTED = 500;

    private final Projects projects;
    private final ProjectViews views;
    private final String region;

    ProjectTools(Projects projects, ProjectViews views, ApiConfig config) {
        this.projects = projects;
        this.views = views;
        this.region = config.projects().region();
    }

    @Override
    public List<Tool> tools() {
        return List.of(
                new Tool(
                        "list_projects",
                        Feature.ACCOUNT,
                        "List projects",
                        "Lists the projects of the organisation, the first " + MAX_LISTED + " at most.",
                        Effect.READS,
                        false,
                        List.of(),
                        call -> ToolResult.json(new Page(projects.list(call.by()).stream()
                                .limit(MAX_LISTED)
                                .map(this::listed)
                                .toList()))),
                new Tool(
                        "get_project",
                        Feature.ACCOUNT,
                        "Get project",
                        "Gets a project: its state, addresses and what an application is configured with.",
                        Effect.READS,
                        false,
                        List.of(Parameter.required("id", Kind.TEXT, "The project's ref")),
                        call -> ToolResult.json(
                                described(projects.get(call.by(), ToolCall.ref(call.text("id"))), List.of()))),
                new Tool(
                        "create_project",
                        Feature.ACCOUNT,
                        "Create project",
                        "Creates a project and waits until it is ready, which takes less than a second as a rule.",
                        Effect.WRITES,
                        false,
                        List.of(
                                Parameter.required("name", Kind.TEXT, "The project's name"),
                                Parameter.optional("region", Kind.TEXT, "Without effect: there is one region"),
                                Parameter.optional(
                                        "organization_id", Kind.TEXT, "The token's organisation, if it is given"),
                                Parameter.optional("confirm_cost_id", Kind.TEXT, "Ignored: a project costs nothing")),
                        this::create),
                new Tool(
                        "pause_project",
                        Feature.ACCOUNT,
                        "Pause project",
                        "Stops the services of a project: its host answers 503 until it is restored. Its data stays.",
                        Effect.WRITES,
                        true,
                        List.of(),
                        call -> suspended(call, true)),
                new Tool(
                        "restore_project",
                        Feature.ACCOUNT,
                        "Restore project",
                        "Starts the services of a paused project.",
                        Effect.WRITES,
                        true,
                        List.of(),
                        call -> suspended(call, false)),
                new Tool(
                        "get_project_url",
                        Feature.DEVELOPMENT,
                        "Get project URL",
                        "Gets the URL of the project's API, for createClient.",
                        Effect.READS,
                        true,
                        List.of(),
                        call -> ToolResult.json(new Url(ready(call).url()))),
                new Tool(
                        "get_publishable_keys",
                        Feature.DEVELOPMENT,
                        "Get publishable keys",
                        "Gets the key of the project that applications may contain. No tool shows the service-role key.",
                        Effect.READS,
                        true,
                        List.of(),
                        call -> ToolResult.json(
                                new Keys(List.of(new Key(ready(call).anonKey(), "anon", "publishable"))))));
    }

    /** A project in a list. */
    record Listed(
            String id,
            String ref,
            String organizationId,
            String organizationSlug,
            String name,
            ProjectState status,
            Instant createdAt,
            String region) {}

    record Page(List<Listed> projects) {}

    /**
     * A project with what an application needs.
     *
     * @param notes what of the call had no effect
     */
    record Described(
            @JsonUnwrapped Listed project,
            String url,
            String anonKey,
            String dbSchema,
            String snippet,
            List<String> conditions,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> notes) {}

    record Url(String url) {}

    record Key(String apiKey, String name, String type) {}

    record Keys(List<Key> keys) {}

    /** A project that is stopped or started, which takes a moment. */
    record Suspended(boolean success, String id, ProjectState status) {}

    private Listed listed(Project project) {
        return listed(views.of(project));
    }

    private Listed listed(ProjectBodies.View view) {
        return new Listed(
                view.id(),
                view.ref(),
                view.organizationId(),
                view.organizationSlug(),
                view.name(),
                view.status(),
                view.createdAt(),
                region);
    }

    private Described described(Project project, List<String> notes) {
        ProjectBodies.View view = views.of(project);
        return new Described(
                listed(view),
                view.url(),
                view.anonKey(),
                view.schema(),
                view.sdk() == null ? null : view.sdk().snippet(),
                view.conditions().stream()
                        .filter(condition -> !condition.status().equals("True"))
                        .map(condition -> condition.type() + ": " + condition.reason() + ": " + condition.message())
                        .toList(),
                notes);
    }

    /** A client that chose a region must not believe that it got it. */
    private List<String> notes(ToolCall call) {
        return call.optionalText("region")
                .filter(asked -> !asked.equals(region))
                .map(asked -> List.of("This deployment has one region, " + region
                        + ", which the project is in; the argument region has no effect."))
                .orElse(List.of());
    }

    private ToolResult suspended(ToolCall call, boolean suspend) {
        ProjectBodies.View view = views.of(projects.suspend(call.by(), call.project(), suspend));
        return ToolResult.json(new Suspended(true, view.id(), view.status()));
    }

    private ToolResult create(ToolCall call) {
        call.optionalText("organization_id")
                .filter(id -> !id.equals(call.by().organization()))
                .ifPresent(other -> {
                    throw Problem.of(
                                    ProblemCode.INVALID_BODY,
                                    "A project belongs to the organisation of the token that creates it, which is "
                                            + call.by().organization() + ".")
                            .asException();
                });
        Projects.Created created = projects.create(
                call.by(), ProjectChange.checkedName(call.text("name")), Optional.empty(), Optional.empty());
        return ToolResult.json(described(created.project(), notes(call)));
    }

    private ProjectBodies.View ready(ToolCall call) {
        ProjectBodies.View view = views.of(projects.get(call.by(), call.project()));
        if (view.url() == null || view.anonKey() == null) {
            throw Problem.of(ProblemCode.PROJECT_NOT_READY, "The project has no address yet.")
                    .withHint("get_project shows its progress.")
                    .asException();
        }
        return view;
    }
}
