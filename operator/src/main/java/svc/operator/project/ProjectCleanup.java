package svc.operator.project;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import java.time.Duration;
import java.time.InstantSource;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.operator.database.SqlStates;
import svc.operator.kubernetes.Annotations;
import svc.operator.kubernetes.EventType;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.observe.Observation.DeletionBlocked;
import svc.operator.observe.Observation.Failed;
import svc.operator.observe.Observation.Removal;
import svc.operator.observe.Observation.Removed;
import svc.operator.observe.Observer;
import svc.operator.project.backend.ProjectBackend;
import svc.operator.project.backend.RemovalResult;
import svc.operator.project.failure.Failure;
import svc.operator.project.failure.FailureMapper;
import svc.operator.project.status.ProjectOutcome;

/**
 * Carries out the deletion policy of a deleted Project and removes its finalizer.
 *
 * <p>Drops data only when the policy is Delete at this moment and the registry names this resource as the holder: a resource
 * that lost a conflict, or never won one, removes nothing. While that is unknown the resource stays and its condition says
 * why.
 */
final class ProjectCleanup {
    /** In case a Project was created under the same name meanwhile, whose events the SDK may have dropped. */
    private static final Duration SUCCESSOR_CHECK_DELAY = Duration.ofSeconds(1);

    private final ProjectBackends backends;
    private final ProjectStatusUpdater statusUpdater;
    private final ResourceEvents events;
    private final Observer observer;
    private final InstantSource clock;
    private final Duration retryInterval;

    ProjectCleanup(
            ProjectBackends backends,
            ProjectStatusUpdater statusUpdater,
            ResourceEvents events,
            Observer observer,
            InstantSource clock,
            Duration retryInterval) {
        this.backends = backends;
        this.statusUpdater = statusUpdater;
        this.events = events;
        this.observer = observer;
        this.clock = clock;
        this.retryInterval = retryInterval;
    }

    /**
     * Carries out the policy and removes the finalizer, or keeps it and reports why.
     *
     * <p>Never asks the SDK to remove the finalizer. After the API's answer the SDK would record that no event for this name
     * is left, although a new Project may exist under the name by then: it would never be reconciled. The scheduled
     * reconciliation replaces the one that the end of this cleanup takes away from such a successor.
     */
    DeleteControl cleanUp(Project project, Context<Project> context) {
        DeleteControl control = applyPolicy(project, context);
        if (control.isRemoveFinalizer()) {
            ProjectFinalizer.remove(context.getClient(), project);
            return DeleteControl.noFinalizerRemoval().rescheduleAfter(SUCCESSOR_CHECK_DELAY.toMillis());
        }
        return control;
    }

    private DeleteControl applyPolicy(Project project, Context<Project> context) {
        if (Annotations.isTrue(project, Annotations.FORCE_DELETE)) {
            events.write(
                    project,
                    EventType.WARNING,
                    "DeletionForced",
                    "Removed without touching its data, as the annotation " + Annotations.FORCE_DELETE + " requests.");
            return removed(project, Removal.FORCED);
        }
        if (ProjectPause.isRequested(project)) {
            return blocked(project, context, "Paused", "Reconciliation is paused: resume the Project to delete it.");
        }
        try {
            if (project.getSpec().deletionPolicy() == DeletionPolicy.DELETE) {
                FunctionCleanup.deleteFunctions(context.getClient(), project);
            }
            return removeFromDatabase(project);
        } catch (RuntimeException e) {
            Failure failure = FailureMapper.of(e);
            observer.observed(new Failed(failure.reason(), failure.message(), true, SqlStates.of(e), e));
            return blocked(project, context, failure.reason(), failure.message());
        }
    }

    private DeleteControl removeFromDatabase(Project project) {
        ProjectBackend backend = backends.of(project);
        return switch (project.getSpec().deletionPolicy()) {
            case RETAIN -> reported(project, backend.retain(project), Removal.RETAINED, "Retained");
            case DELETE -> reported(project, backend.delete(project), Removal.DELETED, "Deleted");
        };
    }

    private DeleteControl reported(Project project, RemovalResult result, Removal act, String reason) {
        return switch (result) {
            case RemovalResult.NotHeld() -> removed(project, Removal.NOT_HELD);
            case RemovalResult.Removed(var message) -> {
                events.write(project, EventType.NORMAL, reason, message);
                yield removed(project, act);
            }
        };
    }

    private DeleteControl removed(Project project, Removal act) {
        observer.observed(new Removed(
                project.getMetadata().getNamespace() + "/"
                        + project.getMetadata().getName(),
                act));
        return DeleteControl.defaultDelete();
    }

    private DeleteControl blocked(Project project, Context<Project> context, String reason, String message) {
        observer.observed(new DeletionBlocked(reason, message));
        var outcome = new ProjectOutcome.DeletionBlocked("The deletion waits (" + reason + "): " + message);
        statusUpdater.changedStatus(project, outcome, clock.instant()).ifPresent(patch -> write(patch, context));
        return DeleteControl.noFinalizerRemoval().rescheduleAfter(retryInterval.toMillis());
    }

    /** The SDK patches no status after a cleanup. */
    private static void write(Project patch, Context<Project> context) {
        try {
            context.getClient()
                    .resource(patch)
                    .subresource("status")
                    .patch(new PatchContext.Builder()
                            .withPatchType(PatchType.SERVER_SIDE_APPLY)
                            .withFieldManager(
                                    context.getControllerConfiguration().fieldManager())
                            .withForce(true)
                            .build());
        } catch (KubernetesClientException e) {
            // Not found: an admin removed the finalizer, and the resource is gone.
            if (e.getCode() != 404) {
                throw e;
            }
        }
    }
}
