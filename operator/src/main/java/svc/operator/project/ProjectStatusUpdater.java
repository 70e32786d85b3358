package svc.operator.project;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.project.ActiveKey;
import svc.crds.project.KeysSpec;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectStatus;
import svc.operator.config.Backoff;
import svc.operator.database.SqlStates;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.observe.Observation;
import svc.operator.observe.Observation.Conflicted;
import svc.operator.observe.Observation.DriftRepaired;
import svc.operator.observe.Observation.Failed;
import svc.operator.observe.Observation.ProjectState;
import svc.operator.observe.Observation.Reconciled;
import svc.operator.observe.Observation.StateObserved;
import svc.operator.observe.Observer;
import svc.operator.project.database.ProvisionResult.Change;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.failure.Failure;
import svc.operator.project.failure.FailureMapper;
import svc.operator.project.keys.KeysSecretState;
import svc.operator.project.keys.VerifyKeys;
import svc.operator.project.status.ProjectEvent;
import svc.operator.project.status.ProjectEvents;
import svc.operator.project.status.ProjectOutcome;
import svc.operator.project.status.ProjectOutcome.Converged;
import svc.operator.project.status.ProjectStatusMapper;

/**
 * Ends every reconciliation of a Project: patches the status, writes Events, reports observations, schedules the next
 * reconciliation. Patches the status only when it changed, because every write triggers all watches of Projects.
 */
final class ProjectStatusUpdater {
    /** Rounds up to a moment at which the overlap of two key versions has certainly ended. */
    private static final Duration AFTER_OVERLAP = Duration.ofMillis(1);

    /** The first interval of a project that waits for something that no event announces. */
    private static final Duration WAITING_INTERVAL = Duration.ofSeconds(5);

    /**
     * Drift checks come in this many bursts per drift interval. Back to back they cost three fifths of what they cost when
     * each finds the processor's caches filled by something else.
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

    /** @param startNanos start of the reconciliation, by {@link System#nanoTime} */
    UpdateControl<Project> update(Project project, ProjectOutcome outcome, long startNanos) {
        Instant now = clock.instant();
        UpdateControl<Project> control = changedStatus(project, outcome, now)
                .map(UpdateControl::patchStatus)
                .orElseGet(UpdateControl::noUpdate);
        observer.observed(new Reconciled(Duration.ofNanos(System.nanoTime() - startNanos)));
        return control.rescheduleAfter(nextReconciliation(project, outcome, now));
    }

    /** Does the same for an exception, and decides whether the SDK retries it. */
    ErrorStatusUpdateControl<Project> updateFailed(Project project, Exception thrown) {
        if (isStaleCopy(thrown)) {
            // Not a failure of the project: the SDK retries with the newer copy.
            return ErrorStatusUpdateControl.noStatusUpdate();
        }
        Failure failure = FailureMapper.of(thrown);
        observer.observed(
                new Failed(failure.reason(), failure.message(), failure.retry(), SqlStates.of(thrown), thrown));
        ErrorStatusUpdateControl<Project> control = changedStatus(
                        project, new ProjectOutcome.Failed(failure), clock.instant())
                .map(ErrorStatusUpdateControl::patchStatus)
                .orElseGet(ErrorStatusUpdateControl::noStatusUpdate);
        return failure.retry() ? control : control.withNoRetry().rescheduleAfter(driftInterval);
    }

    /** Whether the status could not be written because the Project was changed since it was read. */
    private static boolean isStaleCopy(Exception thrown) {
        return FailureMapper.known(thrown) instanceof KubernetesClientException refused
                && refused.getCode() == HttpURLConnection.HTTP_CONFLICT
                && refused.getStatus() != null
                && refused.getStatus().getDetails() != null
                && HasMetadata.getPlural(Project.class)
                        .equals(refused.getStatus().getDetails().getKind());
    }

    /** Returns the status patch when the outcome changed the status; writes the Events of its transitions. */
    Optional<Project> changedStatus(Project project, ProjectOutcome outcome, Instant now) {
        observer.observed(new StateObserved(
                project.getMetadata().getNamespace() + "/"
                        + project.getMetadata().getName(),
                state(outcome)));
        ProjectStatus status = statuses.map(project, outcome, now);
        ProjectEvents.of(project, status).forEach(event -> write(project, event));
        if (outcome instanceof ProjectOutcome.Conflicted && !isConflicted(project)) {
            observer.observed(new Conflicted());
        }
        return isSame(project.getStatus(), status)
                ? Optional.empty()
                : Optional.of(statusPatch(project, outcome, status));
    }

    private static boolean waitsForSecret(ProjectOutcome outcome) {
        return outcome instanceof Converged converged
                && (converged.verifyKeys() instanceof VerifyKeys.Found.Missing
                        || converged.authSecrets().missing().isPresent());
    }

    private static ProjectState state(ProjectOutcome outcome) {
        return switch (outcome) {
            case ProjectOutcome.Paused paused -> ProjectState.PAUSED;
            case ProjectOutcome.Conflicted conflicted -> ProjectState.CONFLICT;
            case Converged converged when converged.secret() == KeysSecretState.NOT_OWNED -> ProjectState.FAILING;
            case Converged converged when waitsForSecret(converged) -> ProjectState.FAILING;
            case Converged converged -> ProjectState.READY;
            case ProjectOutcome.Failed failed -> ProjectState.FAILING;
            case ProjectOutcome.DeletionBlocked blocked -> ProjectState.DELETING;
        };
    }

    /** Reports what was changed in the project's database, when the change is committed. */
    void reportChange(Project project, Provisioned provisioned) {
        ProjectEvents.ofChange(project, provisioned).ifPresent(event -> {
            write(project, event);
            int steps = provisioned.steps().size();
            if (event.reason().equals(ProjectEvents.DRIFT_REPAIRED)) {
                observer.observed(new DriftRepaired(steps));
            } else if (provisioned.change() == Change.CREATED) {
                observer.observed(
                        new Observation.Provisioned(provisioned.project().databaseName(), steps));
            }
        });
    }

    private void write(Project project, ProjectEvent event) {
        events.write(project, event.type(), event.reason(), event.message());
    }

    private static boolean isConflicted(Project project) {
        return project.getStatus() != null
                && Conditions.in(project.getStatus().conditions(), ProjectCondition.CLAIMED)
                        .filter(Condition::isFalse)
                        .isPresent();
    }

    private Duration nextReconciliation(Project project, ProjectOutcome outcome, Instant now) {
        Duration next = nextReconciliation(project.getSpec().keys(), now);
        return waitingCondition(outcome)
                .map(condition -> Backoff.next(since(project, condition, now), now, WAITING_INTERVAL, driftInterval))
                .filter(look -> look.compareTo(next) < 0)
                .orElse(next);
    }

    /**
     * The condition of a project that waits. A Secret that is applied together with its Project comes a moment later; no event
     * announces it, because the operator watches only its own Secrets.
     */
    private static Optional<String> waitingCondition(ProjectOutcome outcome) {
        return switch (outcome) {
            case Converged converged when waitsForSecret(converged) -> Optional.of(ProjectCondition.KEYS_READY);
            case ProjectOutcome.Failed(var failure) when failure.retry() -> Optional.of(failure.condition());
            default -> Optional.empty();
        };
    }

    private static Instant since(Project project, String condition, Instant now) {
        return Optional.ofNullable(project.getStatus())
                .flatMap(status -> Conditions.in(status.conditions(), condition))
                .filter(before -> !before.isTrue())
                .map(Condition::lastTransitionTime)
                .orElse(now);
    }

    private Duration nextReconciliation(KeysSpec keys, Instant now) {
        return Stream.of(keys.anon(), keys.service(), keys.signing(), keys.database())
                .map(ActiveKey::of)
                .filter(key -> key.acceptsPrevious(now))
                .map(ActiveKey::previousUntil)
                .map(until -> Duration.between(now, until).plus(AFTER_OVERLAP))
                .filter(overlap -> overlap.compareTo(driftInterval) < 0)
                .min(Duration::compareTo)
                .orElseGet(() -> untilBurst(now));
    }

    /** At most the drift interval, rounded down to the burst in which other projects are reconciled. */
    private Duration untilBurst(Instant now) {
        long between = Math.max(1, driftInterval.toMillis() / BURSTS);
        return driftInterval.minusMillis(now.plus(driftInterval).toEpochMilli() % between);
    }

    /** Ignores the order of conditions, which the API server decides. */
    private static boolean isSame(ProjectStatus stored, ProjectStatus wanted) {
        return stored != null
                && Set.copyOf(stored.conditions()).equals(Set.copyOf(wanted.conditions()))
                && stored.toBuilder().conditions(wanted.conditions()).build().equals(wanted);
    }

    /**
     * A new object with the status alone: this field manager would own every other field that it contains. A status that
     * keeps earlier values is written over the version that they were read from only: the cache may lag behind a status of
     * this operator's own, and an apply removes what it does not contain, so a project would lose its keys and location.
     */
    private static Project statusPatch(Project project, ProjectOutcome outcome, ProjectStatus status) {
        boolean keepsEarlierValues =
                outcome instanceof ProjectOutcome.Failed || outcome instanceof ProjectOutcome.Paused;
        var patch = new Project();
        patch.setMetadata(new ObjectMetaBuilder()
                .withNamespace(project.getMetadata().getNamespace())
                .withName(project.getMetadata().getName())
                .withResourceVersion(keepsEarlierValues ? project.getMetadata().getResourceVersion() : null)
                .build());
        patch.setStatus(status);
        return patch;
    }
}
