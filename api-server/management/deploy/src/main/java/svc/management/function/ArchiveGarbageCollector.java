package svc.management.function;

import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jboss.logging.Logger;
import svc.crds.function.EdgeFunction;
import svc.crds.project.Project;
import svc.crds.project.ProjectAnnotations;
import svc.functions.artifact.ArtifactStore;
import svc.functions.artifact.ArtifactsUnavailableException;
import svc.functions.artifact.ContentHash;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.ProjectListener;
import svc.platform.tenancy.ProjectWatch;

/**
 * Deletes archives that no function references any more: versions that left the history, archives of a deleted
 * function, and all of a project that is deleted with its data. An archive contains the function's name, so two
 * functions never share one. Archives that a crashed instance leaves behind waste space and do no other harm.
 */
@ApplicationScoped
class ArchiveGarbageCollector implements FunctionWatch.Listener, ProjectListener {
    private static final Logger LOG = Logger.getLogger(ArchiveGarbageCollector.class);

    private final ArtifactStore artifacts;
    private final FunctionResources resources;
    private final ProjectWatch projects;
    private final boolean active;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("archive-garbage-collector").factory());

    ArchiveGarbageCollector(
            ArtifactStore artifacts, FunctionResources resources, ProjectWatch projects, ApiConfig config) {
        this.artifacts = artifacts;
        this.resources = resources;
        this.projects = projects;
        this.active = config.roles().contains(ServerRole.CONTROL);
    }

    @Override
    public void seen(EdgeFunction before, EdgeFunction function) {
        compare(before, Optional.of(function));
    }

    @Override
    public void gone(EdgeFunction function) {
        compare(function, Optional.empty());
    }

    private void compare(EdgeFunction before, Optional<EdgeFunction> after) {
        Set<ContentHash> unneeded = new HashSet<>(ArchiveReferences.of(before));
        after.ifPresent(function -> unneeded.removeAll(ArchiveReferences.of(function)));
        if (!unneeded.isEmpty()) {
            worker.execute(() -> logged(() -> remove(before, unneeded)));
        }
    }

    /** Checks the stored resources again: the same code may have been deployed meanwhile. */
    private void remove(EdgeFunction function, Set<ContentHash> unneeded) {
        Optional<ClaimedProject> claimed = project(function).flatMap(ClaimedProject::of);
        if (claimed.isEmpty()) {
            return;
        }
        resources.ofProject(claimed.get().resource()).forEach(one -> unneeded.removeAll(ArchiveReferences.of(one)));
        unneeded.forEach(hash -> artifacts.delete(claimed.get().projectId(), hash));
    }

    private Optional<Project> project(EdgeFunction function) {
        return projects.find(
                function.getMetadata().getNamespace(),
                function.getSpec().projectRef().name());
    }

    @Override
    public void seen(Project project) {}

    @Override
    public void gone(Project project) {
        if (!active || !ProjectAnnotations.deletesData(project)) {
            return;
        }
        ClaimedProject.of(project)
                .ifPresent(claimed -> worker.execute(() -> logged(() -> artifacts.deleteAll(claimed.projectId()))));
    }

    private static void logged(Runnable work) {
        try {
            work.run();
        } catch (ArtifactsUnavailableException | ProblemException e) {
            LOG.warnf("failed to delete unreferenced function archives: %s", e.getMessage());
        }
    }

    void stop(@Observes ShutdownEvent event) {
        worker.shutdown();
    }
}
