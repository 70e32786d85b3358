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
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.functions.artifact.ArtifactStore;
import svc.functions.artifact.ArtifactsUnavailableException;
import svc.functions.artifact.ContentHash;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.ProjectListener;
import svc.platform.tenancy.ProjectWatch;

/**
 * Deletes archives that no function needs any more: versions that fell out of the history, those of a function that is
 * gone, those of a project that is gone for good. An archive's name is part of it, so another function never has the
 * same. What a fallen instance leaves behind is garbage and no more than that.
 */
@ApplicationScoped
class ArchiveGarbageCollector implements FunctionWatch.Listener, ProjectListener {
    private static final Logger LOG = Logger.getLogger(ArchiveGarbageCollector.class);

    private final ArtifactStore artifacts;
    private final FunctionResources resources;
    private final ProjectWatch projects;
    private final boolean active;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("archive-upkeep").factory());

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

    /** Judged anew by what is stored now: the code may have come back meanwhile. */
    private void remove(EdgeFunction function, Set<ContentHash> unneeded) {
        Optional<ClaimedProject> live = project(function).flatMap(ClaimedProject::of);
        if (live.isEmpty()) {
            return;
        }
        resources.ofProject(live.get().resource()).forEach(one -> unneeded.removeAll(ArchiveReferences.of(one)));
        unneeded.forEach(hash -> artifacts.delete(live.get().projectId(), hash));
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
        if (!active || project.getSpec().deletionPolicy() != DeletionPolicy.DELETE) {
            return;
        }
        ClaimedProject.of(project)
                .ifPresent(live -> worker.execute(() -> logged(() -> artifacts.deleteAll(live.projectId()))));
    }

    private static void logged(Runnable work) {
        try {
            work.run();
        } catch (ArtifactsUnavailableException | ProblemException e) {
            LOG.warnf("archives of functions were left behind: %s", e.getMessage());
        }
    }

    void stop(@Observes ShutdownEvent event) {
        worker.shutdown();
    }
}
