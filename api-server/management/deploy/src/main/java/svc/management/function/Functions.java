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

/**
 * Operations on existing functions on behalf of a principal. Functions of other organisations' projects are invisible
 * to it.
 */
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

    /** @throws ProblemException 403 without the permission, 404 for a project of another organisation */
    Project project(Principal by, String ref) {
        by.require(Permission.EDGE_FUNCTIONS);
        return projects.get(by, ref);
    }

    /** @throws ProblemException 409 for a project that the operator has not provisioned yet */
    ClaimedProject claimed(Principal by, String ref) {
        Project project = project(by, ref);
        return ClaimedProject.of(project)
                .orElseThrow(() -> Problem.of(ProblemCode.PROJECT_NOT_READY, "The project is not ready for functions.")
                        .withHint("GET /v1/projects/" + ref + " shows its progress.")
                        .asException());
    }

    List<EdgeFunction> list(Principal by, String ref) {
        // Of several with one name only the oldest is active; the others have a condition that says so.
        return resources.ofProject(project(by, ref));
    }

    EdgeFunction get(Principal by, String ref, String name) {
        return FunctionResources.named(list(by, ref), name).orElseThrow(() -> FunctionProblems.unknown(name));
    }

    /** The code that a function was deployed with; empty if it was never bundled, or its archive is gone. */
    Optional<Archive> archive(Principal by, String ref, EdgeFunction function) {
        if (function.getSpec().source() != null) {
            return Optional.empty();
        }
        ClaimedProject claimed = claimed(by, ref);
        try {
            return ContentHash.parse(function.getSpec().contentHash())
                    .flatMap(hash -> artifacts.find(claimed.projectId(), hash))
                    .map(Archive::read);
        } catch (ArtifactsUnavailableException e) {
            throw FunctionProblems.unstored(e);
        }
    }

    /** The garbage collector deletes its archives when the informer reports the deletion. */
    EdgeFunction delete(Principal by, String ref, String name) {
        Project project = project(by, ref);
        EdgeFunction function = get(by, ref, name);
        secrets.ofFunction(project, name).forEach(secrets::delete);
        resources.delete(function);
        try {
            logs.delete(ProjectIdentity.of(project).projectId(), name);
        } catch (LogUnavailableException e) {
            // The log expires a week after the last line.
        }
        function.getMetadata().setDeletionTimestamp(clock.instant().toString());
        return function;
    }
}
