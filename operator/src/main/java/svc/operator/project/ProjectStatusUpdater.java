package svc.operator.project;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import svc.crds.project.ActiveKey;
import svc.crds.project.KeysSpec;
import svc.crds.project.Project;
import svc.crds.project.ProjectStatus;
import svc.operator.database.SqlStates;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.observe.Observation.Conflicted;
import svc.operator.observe.Observation.DriftRepaired;
import svc.operator.observe.Observation.Failed;
import svc.operator.observe.Observation.ProjectState;
import svc.operator.observe.Observation.Provisioned;
import svc.operator.observe.Observation.Reconciled;
import svc.operator.observe.Observation.Seen;
import svc.operator.observe.Observer;
import svc.operator.project.database.ProvisionResult.Change;
import svc.operator.project.failure.Failure;
import svc.operator.project.failure.FailureMapper;
import svc.operator.project.keys.KeysSecretState;
import svc.operator.project.keys.VerifyKeys;
import svc.operator.project.status.ProjectEvent;
import svc.operator.project.status.ProjectEvents;
import svc.operator.project.status.ProjectOutcome;
import svc.operator.project.status.ProjectOutcome.InOrder;
import svc.operator.project.status.ProjectStatusMapper;

/**
 * The end of every look at a project: status, Events, observations, and when to look again. Writes the status only when
 * it changed, because every write wakes everybody who watches projects.
 */
final class ProjectStatusUpdater {
    /** Rounds up to the moment at which an overlap of keys is over for certain. */
    private static final Duration AFTER_OVERLAP = Duration.ofMillis(1);

    /** Between looks at something that is on its way; a watch is quicker when it works. */
    private static final Duration WAITING = Duration.ofSeconds(5);

    /**
     * Looks come in this many bursts in a drift interval. One right after another they cost three fifths of what they cost when
     * each finds the processor's caches taken by something else.
     */
    private static final int BURSTS = 30;

    private final ProjectStatusMapper statuses;
    private final ResourceEvents events;
    private final Observer observer;
    private final InstantSource clock;
    private final Duration driftInterval;

    ProjectStatusUpdater(
            ProjectStatusMapper statuses,
            ResourceEvents events,
            Observer observer,
            InstantSource clock,
            Duration driftInterval) {
        this.statuses = statuses;
        this.events = events;
        this.observer = observer;
        this.clock = clock;
        this.driftInterval = driftInterval;
    }

    /** @param beganNanos when the look began, by {@link System#nanoTime} */
    UpdateControl<Project> settle(Project project, ProjectOutcome outcome, long beganNanos) {
        Instant now = clock.instant();
        UpdateControl<Project> control = changedStatus(project, outcome, now)
                .map(UpdateControl::patchStatus)
                .orElseGet(UpdateControl::noUpdate);
        observer.observed(new Reconciled(Duration.ofNanos(System.nanoTime() - beganNanos)));
        return control.rescheduleAfter(nextLook(project, outcome, now));
    }

    /** For an exception: the same, and whether to try again soon. */
    ErrorStatusUpdateControl<Project> fail(Project project, Exception thrown) {
        Failure failure = FailureMapper.of(thrown);
        observer.observed(
                new Failed(failure.reason(), failure.message(), failure.retry(), SqlStates.of(thrown), thrown));
        ErrorStatusUpdateControl<Project> control = changedStatus(
                        project, new ProjectOutcome.Failed(failure), clock.instant())
                .map(ErrorStatusUpdateControl::patchStatus)
                .orElseGet(ErrorStatusUpdateControl::noStatusUpdate);
        return failure.retry() ? control : control.withNoRetry().rescheduleAfter(driftInterval);
    }

    /** What to write if the outcome changed anything; tells of the transitions. */
    Optional<Project> changedStatus(Project project, ProjectOutcome outcome, Instant now) {
        observer.observed(new Seen(
                project.getMetadata().getNamespace() + "/"
                        + project.getMetadata().getName(),
                state(outcome)));
        ProjectStatus status = statuses.map(project, outcome, now);
        for (ProjectEvent event : ProjectEvents.of(project, outcome, status)) {
            events.write(project, event.type(), event.reason(), event.message());
            observe(event, outcome);
        }
        return isSame(project.getStatus(), status) ? Optional.empty() : Optional.of(holding(project, status));
    }

    private static boolean waitsForSecret(ProjectOutcome outcome) {
        return outcome instanceof InOrder inOrder
                && (inOrder.verifyKeys() instanceof VerifyKeys.Found.Missing
                        || inOrder.authSecrets().missing().isPresent());
    }

    private static ProjectState state(ProjectOutcome outcome) {
        return switch (outcome) {
            case ProjectOutcome.Paused paused -> ProjectState.PAUSED;
            case ProjectOutcome.Conflicted conflicted -> ProjectState.CONFLICT;
            case InOrder inOrder when inOrder.secret() == KeysSecretState.NOT_OWNED -> ProjectState.FAILING;
            case InOrder inOrder when waitsForSecret(inOrder) -> ProjectState.FAILING;
            case InOrder inOrder -> ProjectState.READY;
            case ProjectOutcome.Failed failed -> ProjectState.FAILING;
            case ProjectOutcome.DeletionBlocked blocked -> ProjectState.DELETING;
        };
    }

    private void observe(ProjectEvent event, ProjectOutcome outcome) {
        switch (outcome) {
            case InOrder inOrder
            when event.reason().equals(ProjectEvents.DRIFT_REPAIRED) ->
                observer.observed(
                        new DriftRepaired(inOrder.provisioned().steps().size()));
            case InOrder inOrder
            when inOrder.provisioned().change() == Change.CREATED ->
                observer.observed(new Provisioned(
                        inOrder.provisioned().project().databaseName(),
                        inOrder.provisioned().steps().size()));
            case ProjectOutcome.Conflicted conflicted -> observer.observed(new Conflicted());
            default -> {}
        }
    }

    private Duration nextLook(Project project, ProjectOutcome outcome, Instant now) {
        Duration next = nextLook(project.getSpec().keys(), now);
        // A Secret that is applied together with its Project comes a moment later; nothing tells us, we watch only
        // ours.
        boolean waits = waitsForSecret(outcome)
                || (outcome instanceof ProjectOutcome.Failed failed
                        && failed.failure().retry());
        return waits && WAITING.compareTo(next) < 0 ? WAITING : next;
    }

    private Duration nextLook(KeysSpec keys, Instant now) {
        return Stream.of(keys.anon(), keys.service(), keys.signing(), keys.database())
                .map(ActiveKey::of)
                .filter(key -> key.acceptsPrevious(now))
                .map(ActiveKey::previousUntil)
                .map(until -> Duration.between(now, until).plus(AFTER_OVERLAP))
                .filter(overlap -> overlap.compareTo(driftInterval) < 0)
                .min(Duration::compareTo)
                .orElseGet(() -> untilBurst(now));
    }

    /** At most the drift interval, and until a moment that others are looked at as well. */
    private Duration untilBurst(Instant now) {
        long between = Math.max(1, driftInterval.toMillis() / BURSTS);
        return driftInterval.minusMillis(now.plus(driftInterval).toEpochMilli() % between);
    }

    /** The order of conditions is the API server's business. */
    private static boolean isSame(ProjectStatus stored, ProjectStatus wanted) {
        return stored != null
                && Set.copyOf(stored.conditions()).equals(Set.copyOf(wanted.conditions()))
                && stored.toBuilder().conditions(wanted.conditions()).build().equals(wanted);
    }

    /** A new object with nothing but the status: what else it held, this field manager would claim to own. */
    private static Project holding(Project project, ProjectStatus status) {
        var patch = new Project();
        patch.setMetadata(new ObjectMetaBuilder()
                .withNamespace(project.getMetadata().getNamespace())
                .withName(project.getMetadata().getName())
                .build());
        patch.setStatus(status);
        return patch;
    }
}
