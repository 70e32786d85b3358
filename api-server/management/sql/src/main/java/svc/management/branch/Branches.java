package svc.management.branch;

import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import svc.crds.project.Project;
import svc.management.branch.BranchBodies.Change;
import svc.management.branch.BranchBodies.Create;
import svc.management.branch.BranchBodies.Detail;
import svc.management.branch.BranchBodies.Done;
import svc.management.branch.BranchBodies.View;
import svc.management.branch.BranchBodies.Work;
import svc.management.migration.BranchMigrations;
import svc.management.project.BranchProjects;
import svc.management.project.Projects;
import svc.management.query.AuthorizedCall;
import svc.management.query.SqlAuthorization;
import svc.management.query.SqlBudget;
import svc.management.token.Permission;
import svc.management.token.Principal;
import svc.platform.dataplane.RequestId;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.ProjectWatch;

/** Operations on branches on behalf of a principal. Branches of other organisations are invisible to it. */
@ApplicationScoped
public class Branches {
    /** Of one project. */
    static final int MAX_OF_PROJECT = 20;

    private static final String OK = "ok";

    private final BranchProjects branches;
    private final Projects projects;
    private final BranchViews views;
    private final BranchBuilder builder;
    private final BranchWork work;
    private final BranchMigrations migrations;
    private final SqlAuthorization authorization;
    private final BranchAudit audit;
    private final Clock clock;

    /** By the parent: names and the number of branches are checked and taken by one call at a time. */
    private final List<Lock> creations =
            Stream.generate(ReentrantLock::new).limit(64).map(Lock.class::cast).toList();

    Branches(
            BranchProjects branches,
            Projects projects,
            BranchViews views,
            BranchBuilder builder,
            BranchWork work,
            BranchMigrations migrations,
            SqlAuthorization authorization,
            BranchAudit audit,
            Clock clock) {
        this.branches = branches;
        this.projects = projects;
        this.views = views;
        this.builder = builder;
        this.work = work;
        this.migrations = migrations;
        this.authorization = authorization;
        this.audit = audit;
        this.clock = clock;
    }

    /** Those of a project, oldest first. */
    List<View> list(Principal by, String parent) {
        projects.get(by, parent);
        return of(by, parent).stream().map(views::view).toList();
    }

    private List<Project> of(Principal by, String parent) {
        return branches.list(by).stream()
                .filter(branch -> branch.getSpec().branchOf().equals(parent))
                .toList();
    }

    /** The branch with this ref or id. */
    Project get(Principal by, String idOrRef) {
        return branches.find(by, idOrRef).orElseThrow(() -> unknown(idOrRef));
    }

    View named(Principal by, String parent, String name) {
        return list(by, parent).stream()
                .filter(branch -> branch.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name));
    }

    /** Creates a branch and builds it, which goes on when it takes longer than the answer may wait. */
    View create(Principal by, String ref, Create body, RoutingContext context) {
        by.require(Permission.PROJECTS_CREATE);
        String name = BranchRequest.name(body.branchName());
        Optional<String> seed = BranchRequest.seed(body.seed());
        String gitBranch = BranchRequest.gitBranch(body.gitBranch());
        BranchRequest.check(body);
        boolean rows = Boolean.TRUE.equals(body.withData());
        AuthorizedCall onParent = authorization.byToken(by, ref, "", context);
        Project parent = projects.get(by, ref);
        requireBranchable(parent, onParent);
        authorization.count(onParent, SqlBudget.MIGRATIONS, context);
        try (BranchWork.Place place = work.place(by.organization())) {
            BranchState state =
                    BranchState.created(clock.instant(), Boolean.TRUE.equals(body.persistent()), rows, gitBranch);
            Project branch = created(by, parent, name, state);
            audit.note(by, branch, "create branch", context);
            place.run(
                    () -> builder.build(branch, new BranchBuilder.Plan(onParent, false, rows, Optional.empty(), seed)));
            return current(by, branch);
        }
    }

    private Project created(Principal by, Project parent, String name, BranchState state) {
        String ref = ProjectWatch.refOf(parent);
        Lock lock = creations.get(Math.floorMod(ref.hashCode(), creations.size()));
        lock.lock();
        try {
            List<Project> others = of(by, ref);
            if (others.stream().anyMatch(other -> other.getSpec().name().equals(name))) {
                throw Problem.of(ProblemCode.BRANCH_EXISTS, "The project has a branch " + name + ".")
                        .withHint("Reset or delete it, or choose another name.")
                        .asException();
            }
            if (others.size() >= MAX_OF_PROJECT) {
                throw Problem.of(
                                ProblemCode.BRANCH_LIMIT_REACHED,
                                "The project has " + MAX_OF_PROJECT + " branches, which is the limit.")
                        .withHint("Delete one with DELETE /v1/branches/{id}.")
                        .asException();
            }
            return branches.create(
                    parent,
                    name,
                    Map.of(
                            BranchState.ANNOTATION,
                            state.json(),
                            Projects.TOKEN_ANNOTATION,
                            by.tokenId().toString()));
        } finally {
            lock.unlock();
        }
    }

    private static void requireBranchable(Project parent, AuthorizedCall onParent) {
        if (parent.getSpec().branchOf() != null) {
            throw Problem.of(ProblemCode.BRANCH_CONFLICT, "A branch has no branches of its own.")
                    .withHint("Create the branch of the project "
                            + parent.getSpec().branchOf() + ".")
                    .asException();
        }
        if (parent.isMarkedForDeletion()) {
            throw Problem.of(ProblemCode.BRANCH_CONFLICT, "The project is being deleted.")
                    .asException();
        }
        if (onParent.tenant().adoption().isPresent()) {
            throw Problem.of(ProblemCode.NOT_IMPLEMENTED, "A project in an adopted database has no branches.")
                    .asException();
        }
    }

    View change(Principal by, String idOrRef, Change body) {
        by.require(Permission.PROJECTS_CREATE);
        Project branch = get(by, idOrRef);
        Optional<String> name = Optional.ofNullable(body.branchName()).map(BranchRequest::name);
        String gitBranch = BranchRequest.gitBranch(body.gitBranch());
        BranchRequest.checkStatus(
                body.status(), BranchState.of(branch, clock.instant()).status());
        name.filter(taken -> of(by, branch.getSpec().branchOf()).stream()
                        .anyMatch(other -> other.getSpec().name().equals(taken)
                                && !ProjectWatch.refOf(other).equals(ProjectWatch.refOf(branch))))
                .ifPresent(taken -> {
                    throw Problem.of(ProblemCode.BRANCH_EXISTS, "The project has a branch " + taken + ".")
                            .asException();
                });
        return views.view(branches.edit(branch, current -> {
            name.ifPresent(text ->
                    current.setSpec(current.getSpec().toBuilder().name(text).build()));
            BranchState state = BranchState.of(current, clock.instant());
            state.with(
                            body.persistent() == null ? state.persistent() : body.persistent(),
                            gitBranch == null ? state.gitBranch() : gitBranch)
                    .writeTo(current);
        }));
    }

    /** Deletes a branch with its data. */
    void delete(Principal by, String idOrRef, RoutingContext context) {
        by.require(Permission.PROJECTS_CREATE);
        Project branch = get(by, idOrRef);
        branches.delete(branch);
        audit.note(by, branch, "delete branch", context);
    }

    /** Deletes all branches of a project. */
    void deleteAll(Principal by, String parent, RoutingContext context) {
        projects.get(by, parent);
        of(by, parent).forEach(branch -> delete(by, ProjectWatch.refOf(branch), context));
    }

    /** Goes back to the parent's migrations. */
    Done reset(Principal by, String idOrRef, Work body, RoutingContext context) {
        return built(by, idOrRef, body, true, context);
    }

    /** Applies what the parent has and the branch has not. */
    Done rebase(Principal by, String idOrRef, Work body, RoutingContext context) {
        return built(by, idOrRef, body, false, context);
    }

    private Done built(Principal by, String idOrRef, Work body, boolean reset, RoutingContext context) {
        by.require(Permission.PROJECTS_CREATE);
        Project branch = get(by, idOrRef);
        Optional<String> seed = BranchRequest.seed(body, reset);
        Optional<String> last = BranchRequest.last(body);
        AuthorizedCall onParent = authorization.byToken(by, branch.getSpec().branchOf(), "", context);
        last.ifPresent(version -> migrations.requireVersion(onParent.tenant(), version));
        authorization.count(onParent, SqlBudget.MIGRATIONS, context);
        try (BranchWork.Place place = work.place(by.organization())) {
            Project begun = branches.edit(branch, current -> {
                BranchState state = BranchState.of(current, clock.instant());
                if (state.status().isRunning()) {
                    throw Problem.of(ProblemCode.BRANCH_BUSY, "The branch is being built.")
                            .withHint("Retry when its status is MIGRATIONS_PASSED or MIGRATIONS_FAILED.")
                            .asException();
                }
                state.now(BranchStatus.RUNNING_MIGRATIONS, "", clock.instant()).writeTo(current);
            });
            audit.note(by, branch, reset ? "reset branch" : "rebase branch", context);
            boolean rows = reset
                    && last.isEmpty()
                    && BranchState.of(begun, clock.instant()).withData();
            place.run(() -> builder.build(begun, new BranchBuilder.Plan(onParent, reset, rows, last, seed)));
            return new Done(RequestId.of(context), OK, null, current(by, begun));
        }
    }

    /** Applies all that the branch has and the parent has not to the parent. */
    Done merge(Principal by, String idOrRef, RoutingContext context) {
        return merge(by, idOrRef, null, context);
    }

    /** The same up to a version of the branch. */
    Done merge(Principal by, String idOrRef, Work body, RoutingContext context) {
        by.require(Permission.PROJECTS_CREATE);
        Project branch = get(by, idOrRef);
        BranchRequest.seed(body, false);
        Optional<String> last = BranchRequest.last(body);
        AuthorizedCall onParent = authorization.byToken(by, branch.getSpec().branchOf(), "", context);
        BranchState state = BranchState.of(branch, clock.instant());
        if (state.status() != BranchStatus.MIGRATIONS_PASSED) {
            throw Problem.of(
                            state.status().isRunning() ? ProblemCode.BRANCH_BUSY : ProblemCode.BRANCH_CONFLICT,
                            "The branch is " + state.status() + "."
                                    + (state.message().isEmpty() ? "" : " " + state.message()))
                    .withHint("A branch can be merged when its migrations have passed.")
                    .asException();
        }
        var onBranch = authorization.tenant(by, ProjectWatch.refOf(branch));
        last.ifPresent(version -> migrations.requireVersion(onBranch, version));
        authorization.count(onParent, SqlBudget.MIGRATIONS, context);
        List<String> merged = migrations.merge(onParent, onBranch, last);
        audit.note(by, branch, "merge branch", context);
        return new Done(RequestId.of(context), OK, merged, current(by, branch));
    }

    /** The SQL that a merge would apply. */
    String difference(Principal by, String idOrRef) {
        by.require(Permission.DATABASE_QUERY);
        Project branch = get(by, idOrRef);
        return migrations.difference(
                authorization.tenant(by, branch.getSpec().branchOf()),
                authorization.tenant(by, ProjectWatch.refOf(branch)));
    }

    Detail detail(Principal by, String idOrRef) {
        return views.detail(get(by, idOrRef));
    }

    private View current(Principal by, Project branch) {
        return views.view(projects.current(by, ProjectWatch.refOf(branch)));
    }

    private static ProblemException unknown(String idOrRef) {
        return Problem.of(
                        ProblemCode.BRANCH_NOT_FOUND,
                        "There is no branch " + (idOrRef.length() > 100 ? idOrRef.substring(0, 100) + "…" : idOrRef)
                                + ".")
                .withHint("GET /v1/projects/{ref}/branches lists them.")
                .asException();
    }
}
