package svc.management.function;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import svc.crds.function.EdgeFunction;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.functions.artifact.Archive;
import svc.functions.artifact.ArtifactStore;
import svc.functions.artifact.ArtifactsUnavailableException;
import svc.functions.artifact.ContentHash;
import svc.functions.log.FunctionLog;
import svc.functions.log.LogUnavailableException;
import svc.management.project.Projects;
import svc.management.token.Permission;
import svc.management.token.Principal;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** What a principal can do with functions that exist. Those of another organisation's projects do not. */
@ApplicationScoped
class Functions {
    private final Projects projects;
    private final FunctionResources resources;
    private final SecretResources secrets;
    private final ArtifactStore artifacts;
    private final FunctionLog logs;
    private final Clock clock;

    Functions(
            Projects projects,
            FunctionResources resources,
            SecretResources secrets,
            ArtifactStore artifacts,
            FunctionLog logs,
            Clock clock) {
        this.projects = projects;
        this.resources = resources;
        this.secrets = secrets;
        this.artifacts = artifacts;
        this.logs = logs;
        this.clock = clock;
    }

    /** @throws ProblemException 403 without the permission, 404 for a project that is not the organisation's */
    Project project(Principal by, String ref) {
        by.require(Permission.EDGE_FUNCTIONS);
        return projects.get(by, ref);
    }

    /** @throws ProblemException 409 for a project that the operator has not provisioned yet */
    ClaimedProject live(Principal by, String ref) {
        Project project = project(by, ref);
        return ClaimedProject.of(project)
                .orElseThrow(
                        () -> Problem.of(ProblemCode.PROJECT_NOT_READY, "The project is not ready to have functions.")
                                .withHint("GET /v1/projects/" + ref + " says how far it is.")
                                .asException());
    }

    List<EdgeFunction> list(Principal by, String ref) {
        // Of several with one name only the oldest serves; the others have a condition that says so.
        return resources.ofProject(project(by, ref));
    }

    EdgeFunction get(Principal by, String ref, String name) {
        return FunctionResources.named(list(by, ref), name).orElseThrow(() -> FunctionProblems.unknown(name));
    }

    /** The code that a function was deployed with; empty for one that was never bundled, or whose archive is gone. */
    Optional<Archive> archive(Principal by, String ref, EdgeFunction function) {
        if (function.getSpec().source() != null) {
            return Optional.empty();
        }
        ClaimedProject live = live(by, ref);
        try {
            return ContentHash.parse(function.getSpec().contentHash())
                    .flatMap(hash -> artifacts.find(live.projectId(), hash))
                    .map(Archive::read);
        } catch (ArtifactsUnavailableException e) {
            throw FunctionProblems.unstored(e);
        }
    }

    /** Its archives go when the watch has seen it go. */
    EdgeFunction delete(Principal by, String ref, String name) {
        Project project = project(by, ref);
        EdgeFunction function = get(by, ref, name);
        secrets.ofFunction(project, name).forEach(secrets::delete);
        resources.delete(function);
        try {
            logs.delete(ProjectIdentity.of(project).projectId(), name);
        } catch (LogUnavailableException e) {
            // They end by themselves a week after the last line.
        }
        function.getMetadata().setDeletionTimestamp(clock.instant().toString());
        return function;
    }
}
