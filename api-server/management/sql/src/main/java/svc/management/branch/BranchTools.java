package svc.management.branch;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import svc.crds.project.Project;
import svc.management.branch.BranchBodies.Create;
import svc.management.branch.BranchBodies.Done;
import svc.management.branch.BranchBodies.View;
import svc.management.branch.BranchBodies.Work;
import svc.management.tool.Feature;
import svc.management.tool.Parameter;
import svc.management.tool.Parameter.Kind;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolCall;
import svc.management.tool.ToolCall.Consent;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** The tools of branches. */
@ApplicationScoped
class BranchTools implements ToolGroup {
    private static final String BRANCH = "branch_id";
    private static final String VERSION = "migration_version";
    private static final Parameter BRANCH_ID =
            Parameter.required(BRANCH, Kind.TEXT, "The branch's id, or the ref of its project, from list_branches");

    private final Branches branches;

    BranchTools(Branches branches) {
        this.branches = branches;
    }

    @Override
    public List<Tool> tools() {
        return List.of(
                new Tool(
                        "create_branch",
                        Feature.BRANCHING,
                        "Create branch",
                        "Creates a branch: a project of its own with the migrations of this one, without its rows unless"
                                + " with_data is true. Use its project_ref as project_id. A status MIGRATIONS_FAILED comes with the"
                                + " reason.",
                        Effect.WRITES,
                        true,
                        List.of(
                                Parameter.optional("name", Kind.TEXT, "The branch's name; develop if omitted"),
                                Parameter.optional("with_data", Kind.FLAG, "Whether it begins with the project's rows"),
                                Parameter.optional("confirm_cost_id", Kind.TEXT, "Ignored: a branch costs nothing")),
                        this::create),
                new Tool(
                        "list_branches",
                        Feature.BRANCHING,
                        "List branches",
                        "Lists the branches of the project with their status.",
                        Effect.READS,
                        true,
                        List.of(),
                        call -> ToolResult.json(new Page(branches.list(call.by(), call.project())))),
                destroying(
                        "delete_branch",
                        "Delete branch",
                        "Deletes a branch with its data.",
                        List.of(BRANCH_ID),
                        this::delete),
                destroying(
                        "merge_branch",
                        "Merge branch",
                        "Applies the new migrations of a branch to the project that it branched from: all of them or, on a"
                                + " conflict, none.",
                        List.of(BRANCH_ID),
                        this::merge),
                destroying(
                        "reset_branch",
                        "Reset branch",
                        "Drops everything in a branch and applies the project's migrations again.",
                        List.of(
                                BRANCH_ID,
                                Parameter.optional(VERSION, Kind.TEXT, "The last migration to apply; all if omitted")),
                        this::reset),
                destroying(
                        "rebase_branch",
                        "Rebase branch",
                        "Applies to a branch the migrations that its project has got since.",
                        List.of(BRANCH_ID),
                        this::rebase));
    }

    /** The list. */
    record Page(List<View> branches) {}

    /**
     * What a call has done.
     *
     * @param migrations versions that a merge has applied
     */
    record Worked(boolean success, String message, List<String> migrations, View branch) {}

    private static ToolResult worked(Done done) {
        return ToolResult.json(new Worked(true, done.message(), done.migrations(), done.branch()));
    }

    private static Tool destroying(
            String name, String title, String description, List<Parameter> parameters, Tool.Handler handler) {
        return new Tool(name, Feature.BRANCHING, title, description, Effect.DESTROYS, false, parameters, handler);
    }

    private ToolResult create(ToolCall call) {
        var body = new Create(
                call.optionalText("name").orElse("develop"),
                null,
                null,
                call.optionalFlag("with_data").orElse(false),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        return ToolResult.json(branches.create(call.by(), call.project(), body, call.context()));
    }

    private ToolResult delete(ToolCall call) {
        Project branch = branch(call);
        return asked(call, "Delete the branch " + named(branch) + " with its data, permanently?")
                .orElseGet(() -> {
                    branches.delete(call.by(), id(call), call.context());
                    return ToolResult.json(new Worked(true, "ok", null, null));
                });
    }

    private ToolResult merge(ToolCall call) {
        Project branch = branch(call);
        return asked(
                        call,
                        "Apply the new migrations of the branch " + named(branch) + " to the project "
                                + branch.getSpec().branchOf() + "?")
                .orElseGet(() -> worked(branches.merge(call.by(), id(call), call.context())));
    }

    private ToolResult reset(ToolCall call) {
        Project branch = branch(call);
        var work = new Work(call.optionalText(VERSION).orElse(null), null);
        return asked(call, "Drop all tables and rows of the branch " + named(branch) + ", permanently?")
                .orElseGet(() -> worked(branches.reset(call.by(), id(call), work, call.context())));
    }

    private ToolResult rebase(ToolCall call) {
        branch(call);
        return worked(branches.rebase(call.by(), id(call), null, call.context()));
    }

    private static String id(ToolCall call) {
        return ToolCall.ref(call.text(BRANCH));
    }

    /** A client of one project reaches that project's branches alone. */
    private Project branch(ToolCall call) {
        Project branch = branches.get(call.by(), id(call));
        if (!call.project().isEmpty() && !branch.getSpec().branchOf().equals(call.project())) {
            throw Problem.of(ProblemCode.BRANCH_NOT_FOUND, "The project has no such branch.")
                    .withHint("list_branches lists them.")
                    .asException();
        }
        return branch;
    }

    private static Optional<ToolResult> asked(ToolCall call, String question) {
        return call.consent() == Consent.ASKABLE ? Optional.of(new ToolResult.Ask(question)) : Optional.empty();
    }

    private static String named(Project branch) {
        return branch.getSpec().name();
    }
}
