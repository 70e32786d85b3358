package svc.operator.project;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Supplier;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.database.platform.Holder;
import svc.operator.database.SqlStates;
import svc.operator.kubernetes.Annotations;
import svc.operator.kubernetes.EventType;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.observe.Observation.DeletionBlocked;
import svc.operator.observe.Observation.Failed;
import svc.operator.observe.Observation.Removal;
import svc.operator.observe.Observation.Removed;
import svc.operator.observe.Observer;
import svc.operator.project.adopted.AdoptedDatabase;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.database.RemoveResult;
import svc.operator.project.dedicated.DedicatedBackend;
import svc.operator.project.failure.Failure;
import svc.operator.project.failure.FailureMapper;
import svc.operator.project.status.ProjectOutcome;

/**
 * What a deleted Project leaves behind.
 *
 * <p>Drops data only when the policy says Delete at this very moment and the registry says that this resource holds the
 * project: a resource that lost a conflict, or never won one, takes nothing with it. While that cannot be found out the
 * resource stays, and says why.
 */
final class ProjectCleanup {
    private static final Duration UNTIL_A_SUCCESSOR = Duration.ofSeconds(1);

    private final ProjectProvisioner database;
    private final AdoptedDatabase adopted;
    private final DedicatedBackend dedicated;
    private final ProjectStatusUpdater settlement;
    private final ResourceEvents events;
    private final Observer observer;
    private final InstantSource clock;
    private final Duration retryInterval;

    ProjectCleanup(
            ProjectProvisioner database,
            AdoptedDatabase adopted,
            DedicatedBackend dedicated,
            ProjectStatusUpdater settlement,
            ResourceEvents events,
            Observer observer,
            InstantSource clock,
            Duration retryInterval) {
        this.database = database;
        this.adopted = adopted;
        this.dedicated = dedicated;
        this.settlement = settlement;
        this.events = events;
        this.observer = observer;
        this.clock = clock;
        this.retryInterval = retryInterval;
    }

    /**
     * Does what the policy says and lets the resource go, or leaves it and says why.
     *
     * <p>Never answers that the SDK is to take the finalizer off. It would then, when the API's answer comes, note that
     * nothing is left to do under this name, which by that time may be the name of a new Project: that one would not be
     * looked at any more. What is scheduled here stands for what the end of this look takes away from a new one's.
     */
    DeleteControl remove(Project project, Context<Project> context) {
        DeleteControl control = whatMayGo(project, context);
        if (control.isRemoveFinalizer()) {
            ProjectFinalizer.takeOff(context.getClient(), project);
            return DeleteControl.noFinalizerRemoval().rescheduleAfter(UNTIL_A_SUCCESSOR.toMillis());
        }
        return control;
    }

    private DeleteControl whatMayGo(Project project, Context<Project> context) {
        if (Annotations.isTrue(project, Annotations.FORCE_DELETE)) {
            events.write(project, EventType.WARNING, "DeletionForced", "Let go as asked; its data was not touched.");
            return gone(project, Removal.FORCED);
        }
        if (ProjectPause.isAsked(project)) {
            return blocked(project, context, "Paused", "Reconciliation is paused, so nothing of it may be touched.");
        }
        try {
            if (project.getSpec().deletionPolicy() == DeletionPolicy.DELETE) {
                FunctionCleanup.remove(context.getClient(), project);
            }
            return removeByPolicy(project);
        } catch (RuntimeException e) {
            Failure failure = FailureMapper.of(e);
            observer.observed(new Failed(failure.reason(), failure.message(), true, SqlStates.of(e), e));
            return blocked(project, context, failure.reason(), failure.message());
        }
    }

    private DeleteControl removeByPolicy(Project project) {
        var holder = new Holder(
                project.getMetadata().getNamespace(), project.getMetadata().getName());
        var projectId = ProjectIdentity.of(project).projectId();
        if (ProjectSteps.isAdopted(project)) {
            return letGo(project, projectId, holder);
        }
        return switch (project.getSpec().deletionPolicy()) {
            case RETAIN -> {
                if (removed(project, () -> database.retain(projectId, holder)) == RemoveResult.NOTHING_HELD) {
                    yield gone(project, Removal.NOT_OURS);
                }
                events.write(project, EventType.NORMAL, "Retained", "Its logins are closed, its data is kept.");
                yield gone(project, Removal.RETAINED);
            }
            case DELETE -> {
                if (removed(project, () -> database.delete(projectId, holder)) == RemoveResult.NOTHING_HELD) {
                    yield gone(project, Removal.NOT_OURS);
                }
                events.write(project, EventType.NORMAL, "Deleted", "Its data is dropped and its keys are dead.");
                yield gone(project, Removal.DELETED);
            }
        };
    }

    private RemoveResult removed(Project project, Supplier<RemoveResult> fromShared) {
        return DedicatedBackend.concerns(project) ? dedicated.remove(project) : fromShared.get();
    }

    /** An adopted database is not ours to drop, whatever the policy says: only the keys live or die by it. */
    private DeleteControl letGo(Project project, UUID projectId, Holder holder) {
        boolean retain = project.getSpec().deletionPolicy() == DeletionPolicy.RETAIN;
        RemoveResult result = retain ? adopted.retain(projectId, holder) : adopted.forget(projectId, holder);
        if (result == RemoveResult.NOTHING_HELD) {
            return gone(project, Removal.NOT_OURS);
        }
        events.write(
                project,
                EventType.NORMAL,
                retain ? "Retained" : "Deleted",
                retain
                        ? "Its keys are kept for this Project; its database was not touched."
                        : "Its keys are dead; its database was not touched.");
        return gone(project, retain ? Removal.RETAINED : Removal.DELETED);
    }

    private DeleteControl gone(Project project, Removal act) {
        observer.observed(new Removed(
                project.getMetadata().getNamespace() + "/"
                        + project.getMetadata().getName(),
                act));
        return DeleteControl.defaultDelete();
    }

    private DeleteControl blocked(Project project, Context<Project> context, String reason, String message) {
        observer.observed(new DeletionBlocked(reason, message));
        var outcome = new ProjectOutcome.DeletionBlocked("The deletion waits (" + reason + "): " + message);
        settlement.changedStatus(project, outcome, clock.instant()).ifPresent(patch -> write(patch, context));
        return DeleteControl.noFinalizerRemoval().rescheduleAfter(retryInterval.toMillis());
    }

    /** The SDK writes no status at the end of a cleanup. */
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
            // Gone in the meantime: somebody took the finalizer off by hand.
            if (e.getCode() != 404) {
                throw e;
            }
        }
    }
}
