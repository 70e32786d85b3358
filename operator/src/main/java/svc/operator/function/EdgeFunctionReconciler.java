package svc.operator.function;

import io.fabric8.kubernetes.api.model.apps.Deployment;
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
import java.util.List;
import java.util.Optional;
import svc.crds.function.EdgeFunction;
import svc.crds.project.Project;
import svc.operator.function.FunctionSources.Cached;
import svc.operator.function.FunctionSteps.Known;
import svc.operator.function.desired.DesiredFunction;
import svc.operator.function.desired.FunctionEnvironment;
import svc.operator.function.desired.ServedProject;
import svc.operator.function.status.BundleState;
import svc.operator.function.status.FunctionOutcome;
import svc.operator.function.status.FunctionOutcome.Applied;
import svc.operator.function.status.FunctionOutcome.Applied.Permit;
import svc.operator.function.status.FunctionOutcome.NoCode;
import svc.operator.function.status.FunctionOutcome.Paused;
import svc.operator.function.status.FunctionOutcome.Refused;
import svc.operator.function.status.FunctionOutcome.Waiting;
import svc.operator.function.status.FunctionReasons;
import svc.operator.function.status.Rollout;
import svc.operator.function.variable.FunctionVariables;
import svc.operator.kubernetes.Annotations;
import svc.operator.kubernetes.InformerSync;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.observe.ReconcileLog;

/**
 * Reconciles an EdgeFunction: network policy, environment, Service, Deployment, status. A version serves until the next one
 * is ready. Owner references let Kubernetes delete all objects with the resource, so there is no finalizer.
 */
@Singleton
@ControllerConfiguration(
        name = EdgeFunctionReconciler.NAME,
        generationAwareEventProcessing = false,
        informer = @Informer(onUpdateFilter = FunctionChange.class))
public class EdgeFunctionReconciler implements Reconciler<EdgeFunction>, ConfigurableReconciler<EdgeFunction> {
    public static final String NAME = "edgefunction";

    private final FunctionServices services;
    private final FunctionSteps steps;
    private final FunctionVariables variables;
    private final FunctionStatusUpdater statusUpdater;
    private FunctionSources sources;

    @Inject
    public EdgeFunctionReconciler(FunctionServices services) {
        this.services = services;
        this.steps = new FunctionSteps(services.client());
        this.variables = new FunctionVariables(services.client());
        this.statusUpdater = new FunctionStatusUpdater(
                new ResourceEvents(services.client(), services.clock(), services.observer()),
                services.observer(),
                services.clock(),
                services.tuning().driftInterval());
    }

    /** Called by Quarkus; a plain operator calls it when it registers this reconciler. */
    @Override
    public void updateConfigurationFrom(ControllerConfigurationOverrider<EdgeFunction> controller) {
        services.tuning().applyWithBursts(controller);
    }

    @Override
    public List<EventSource<?, EdgeFunction>> prepareEventSources(EventSourceContext<EdgeFunction> context) {
        sources = new FunctionSources(context);
        return sources.all();
    }

    @Override
    public UpdateControl<EdgeFunction> reconcile(EdgeFunction function, Context<EdgeFunction> context) {
        Optional<Cached> cached = sources.read(function, context);
        if (cached.isEmpty()) {
            // Without its project a function would be withdrawn, without its secrets it would be restarted.
            return UpdateControl.<EdgeFunction>noUpdate().rescheduleAfter(InformerSync.RETRY_INTERVAL);
        }
        try (var scope = logScope(function)) {
            long startNanos = System.nanoTime();
            return statusUpdater.update(function, reconcileFunction(function, cached.get()), startNanos);
        }
    }

    private FunctionOutcome reconcileFunction(EdgeFunction function, Cached cached) {
        Optional<Project> project = cached.project();
        if (project.isEmpty()) {
            steps.withdraw(function, cached.known());
            return new Refused(
                    FunctionReasons.PROJECT_NOT_FOUND,
                    "This namespace has no Project "
                            + function.getSpec().projectRef().name() + ": create it, or correct spec.projectRef.");
        }
        if (isPaused(project.get())) {
            return new Paused();
        }
        return switch (ServedProject.of(project.get(), services.masterKeys())) {
            case ServedProject.Found.Awaited awaited -> new Waiting(awaited.message());
            case ServedProject.Found.Refused refused -> {
                if (refused.lost()) {
                    steps.withdraw(function, cached.known());
                }
                yield new Refused(FunctionReasons.PROJECT_NOT_READY, refused.message(), refused.lost());
            }
            case ServedProject.Found.Served served -> reconcileFunction(function, served.project(), cached);
        };
    }

    private FunctionOutcome reconcileFunction(EdgeFunction function, ServedProject project, Cached cached) {
        Optional<Refused> refusal = FunctionPrecedence.refusal(
                function, cached.siblings(), project.functions().maxFunctions());
        if (refusal.isPresent()) {
            steps.withdraw(function, cached.known());
            return refusal.get();
        }
        Optional<String> excess =
                services.runtime().pods().ceiling().excess(function.getSpec().resources());
        if (excess.isPresent()) {
            return new Refused(FunctionReasons.RESOURCES_TOO_LARGE, excess.get(), false);
        }
        BundleState bundle = BundleState.of(function);
        Optional<String> previous = Optional.ofNullable(function.getStatus()).map(status -> status.hash());
        Optional<String> hash = bundle.code().or(() -> previous);
        if (hash.isEmpty()) {
            return new NoCode(bundle, url(project, function));
        }
        return applyObjects(function, project, bundle, hash.get(), cached);
    }

    private FunctionOutcome applyObjects(
            EdgeFunction function, ServedProject project, BundleState bundle, String contentHash, Cached cached) {
        Known known = cached.known();
        String name = function.getSpec().name();
        var environment = FunctionEnvironment.of(
                project, name, variables.of(cached.secrets(), project.access().ref(), known.environment()));
        Optional<String> notOwned = steps.apply(
                new DesiredFunction(function, project, contentHash, environment, services.runtime()), known);
        if (notOwned.isPresent()) {
            return new Refused(
                    FunctionReasons.OBJECT_NOT_OWNED,
                    "The " + notOwned.get() + " exists and is not owned by this EdgeFunction: delete it, or rename the"
                            + " EdgeFunction.");
        }
        Permit permit = project.suspended()
                ? Permit.SUSPENDED
                : project.functions().enabled() ? Permit.ENABLED : Permit.DISABLED;
        boolean served = function.getStatus() != null
                && contentHash.equals(function.getStatus().hash());
        // The cached Deployment is from before the apply: a template of another version says nothing about this one.
        var current = known.deployment().filter(found -> Rollout.runs(found, contentHash, environment.digest()));
        steps.scale(function, known.deployment(), permit == Permit.ENABLED, served);
        return new Applied(
                bundle,
                contentHash,
                permit,
                url(project, function),
                current,
                startFailure(function, current, contentHash));
    }

    /** The pods of a Deployment that serves, or has none, say nothing about the version. */
    private Optional<String> startFailure(EdgeFunction function, Optional<Deployment> current, String contentHash) {
        return Rollout.of(current) == Rollout.IN_PROGRESS
                ? Rollout.startFailure(sources.podsOf(function), contentHash)
                : Optional.empty();
    }

    @Override
    public ErrorStatusUpdateControl<EdgeFunction> updateErrorStatus(
            EdgeFunction function, Context<EdgeFunction> context, Exception thrown) {
        try (var scope = logScope(function)) {
            return statusUpdater.updateFailed(function, thrown);
        }
    }

    private static String url(ServedProject project, EdgeFunction function) {
        return project.access().url() + "/functions/v1/" + function.getSpec().name();
    }

    private static boolean isPaused(Project project) {
        return project.getSpec().paused() || Annotations.isTrue(project, Annotations.PAUSED);
    }

    private static ReconcileLog.Scope logScope(EdgeFunction function) {
        return ReconcileLog.scope(
                function.getMetadata().getNamespace(),
                function.getSpec().projectRef().name(),
                function.getMetadata().getName());
    }
}
