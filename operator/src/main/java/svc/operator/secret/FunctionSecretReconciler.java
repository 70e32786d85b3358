package svc.operator.secret;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.quarkiverse.operatorsdk.runtime.api.ConfigurableReconciler;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.project.Project;
import svc.crds.secret.FunctionSecret;
import svc.crds.secret.FunctionSecretCondition;
import svc.crds.secret.FunctionSecretStatus;
import svc.database.key.RuntimeToken;
import svc.operator.config.Backoff;
import svc.operator.function.FunctionServices;
import svc.operator.function.desired.ServedProject;
import svc.operator.function.variable.FunctionKey;
import svc.operator.function.variable.FunctionVariables;
import svc.operator.function.variable.SecretPrecedence;
import svc.operator.function.variable.SecretReasons;
import svc.operator.function.variable.SecretValue;
import svc.operator.kubernetes.InformerSync;
import svc.operator.kubernetes.MeaningfulChange;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.observe.Observation.Failed;
import svc.operator.observe.Observation.Reconciled;
import svc.operator.observe.ReconcileLog;
import svc.operator.project.failure.FailureMapper;
import svc.operator.secret.SecretOutcome.NotServed;

/**
 * Reports whether the value of a FunctionSecret exists and whether the function runs with it. The EdgeFunction reconciler
 * brings the value to the function; the digest that this one writes triggers it.
 */
@Singleton
@ControllerConfiguration(
        name = FunctionSecretReconciler.NAME,
        generationAwareEventProcessing = false,
        informer = @Informer(onUpdateFilter = MeaningfulChange.class))
public class FunctionSecretReconciler implements Reconciler<FunctionSecret>, ConfigurableReconciler<FunctionSecret> {
    public static final String NAME = "functionsecret";

    /** The first; a Secret without our label is not watched, and often comes right after the FunctionSecret that names it. */
    private static final Duration MISSING_VALUE_INTERVAL = Duration.ofSeconds(10);

    private final FunctionServices services;
    private final FunctionVariables variables;
    private final ResourceEvents events;
    private SecretSources sources;

    @Inject
    public FunctionSecretReconciler(FunctionServices services) {
        this.services = services;
        this.variables = new FunctionVariables(services.client());
        this.events = new ResourceEvents(services.client(), services.clock(), services.observer());
    }

    /** Called by Quarkus; a plain operator calls it when it registers this reconciler. */
    @Override
    public void updateConfigurationFrom(ControllerConfigurationOverrider<FunctionSecret> controller) {
        services.tuning().applyWithBursts(controller);
    }

    @Override
    public List<EventSource<?, FunctionSecret>> prepareEventSources(EventSourceContext<FunctionSecret> context) {
        sources = new SecretSources(context);
        return sources.all();
    }

    @Override
    public UpdateControl<FunctionSecret> reconcile(FunctionSecret secret, Context<FunctionSecret> context) {
        try (var scope = logScope(secret)) {
            long startNanos = System.nanoTime();
            Instant now = services.clock().instant();
            FunctionSecretStatus status = SecretStatusMapper.map(secret, toOutcome(secret), now);
            if (!sources.wereComplete(secret)) {
                // Without its project the digest would be removed, which restarts the function.
                return UpdateControl.<FunctionSecret>noUpdate().rescheduleAfter(InformerSync.RETRY_INTERVAL);
            }
            UpdateControl<FunctionSecret> control =
                    changed(secret, status).map(UpdateControl::patchStatus).orElseGet(UpdateControl::noUpdate);
            services.observer().observed(new Reconciled(Duration.ofNanos(System.nanoTime() - startNanos)));
            return control.rescheduleAfter(nextReconciliation(status, now));
        }
    }

    private Duration nextReconciliation(FunctionSecretStatus status, Instant now) {
        Duration drift = services.tuning().driftInterval();
        return Conditions.in(status.conditions(), FunctionSecretCondition.VALUE_FOUND)
                .filter(Condition::isFalse)
                .map(absent -> Backoff.next(absent.lastTransitionTime(), now, MISSING_VALUE_INTERVAL, drift))
                .orElse(drift);
    }

    private SecretOutcome toOutcome(FunctionSecret secret) {
        Optional<Project> project = sources.projectOf(secret);
        if (project.isEmpty()) {
            return new NotServed("This namespace has no Project "
                    + secret.getSpec().projectRef().name() + ": create it, or correct spec.projectRef.");
        }
        return switch (ServedProject.of(project.get(), services.masterKeys())) {
            case ServedProject.Found.Awaited awaited -> new SecretOutcome.Waiting(awaited.message());
            case ServedProject.Found.Refused refused -> new NotServed(refused.message());
            case ServedProject.Found.Served served -> toOutcome(secret, served.project());
        };
    }

    private SecretOutcome toOutcome(FunctionSecret secret, ServedProject project) {
        String variable = secret.getSpec().key();
        FunctionSecret first =
                SecretPrecedence.byVariable(sources.siblingsOf(secret)).get(variable);
        if (first != null
                && !first.getMetadata().getName().equals(secret.getMetadata().getName())) {
            return new SecretOutcome.Absent(new SecretValue.Absent(
                    SecretReasons.CONFLICT,
                    "The FunctionSecret " + first.getMetadata().getName() + " sets " + variable
                            + " of this function: delete one of the two."));
        }
        return switch (variables.read(secret, project.access().ref())) {
            case SecretValue.Absent absent -> new SecretOutcome.Absent(absent);
            case SecretValue.Found found ->
                new SecretOutcome.Found(
                        RuntimeToken.valueDigest(
                                project.runtime(), FunctionKey.of(secret).function() + "/" + variable, found.text()),
                        applied(secret, variable, found.text()));
        };
    }

    private AppliedValue.State applied(FunctionSecret secret, String variable, String value) {
        var applied = new AppliedValue(sources);
        return FunctionKey.of(secret).isOfAll()
                ? applied.ofAll(sources.functionsWithout(secret), variable, value)
                : applied.of(sources.functionsOf(secret), variable, value);
    }

    @Override
    public ErrorStatusUpdateControl<FunctionSecret> updateErrorStatus(
            FunctionSecret secret, Context<FunctionSecret> context, Exception thrown) {
        try (var scope = logScope(secret)) {
            var failure = FailureMapper.of(thrown);
            services.observer()
                    .observed(
                            new Failed(failure.reason(), failure.message(), failure.retry(), Optional.empty(), thrown));
            return changed(
                            secret,
                            SecretStatusMapper.map(
                                    secret,
                                    new SecretOutcome.Failed(failure),
                                    services.clock().instant()))
                    .map(ErrorStatusUpdateControl::patchStatus)
                    .orElseGet(ErrorStatusUpdateControl::noStatusUpdate);
        }
    }

    private Optional<FunctionSecret> changed(FunctionSecret secret, FunctionSecretStatus status) {
        FunctionSecretStatus before = secret.getStatus();
        if (before != null
                && Set.copyOf(before.conditions()).equals(Set.copyOf(status.conditions()))
                && before.toBuilder().conditions(status.conditions()).build().equals(status)) {
            return Optional.empty();
        }
        writeEvent(secret, status);
        var patch = new FunctionSecret();
        patch.setMetadata(new ObjectMetaBuilder()
                .withNamespace(secret.getMetadata().getNamespace())
                .withName(secret.getMetadata().getName())
                .build());
        patch.setStatus(status);
        return Optional.of(patch);
    }

    private void writeEvent(FunctionSecret secret, FunctionSecretStatus status) {
        Condition now = Conditions.in(status.conditions(), FunctionSecretCondition.VALUE_FOUND)
                .orElseThrow();
        Optional<Condition> before = secret.getStatus() == null
                ? Optional.empty()
                : Conditions.in(secret.getStatus().conditions(), FunctionSecretCondition.VALUE_FOUND);
        SecretStatusMapper.event(before, now)
                .ifPresent(type -> events.write(secret, type, now.reason(), now.message()));
    }

    private static ReconcileLog.Scope logScope(FunctionSecret secret) {
        return ReconcileLog.scope(
                secret.getMetadata().getNamespace(),
                secret.getSpec().projectRef().name(),
                secret.getMetadata().getName());
    }
}
