package svc.operator.project;

import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
import io.quarkiverse.operatorsdk.runtime.api.ConfigurableReconciler;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.operator.kube.Labels;
import svc.operator.kube.MeaningfulChange;
import svc.operator.kube.ResourceEvents;
import svc.operator.observe.ReconcileLog;
import svc.operator.project.ProjectSteps.Claimed;
import svc.operator.project.database.ProvisionResult.Conflict;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.desired.KeysSecret;
import svc.operator.project.desired.ProjectAddresses;
import svc.operator.project.status.ProjectOutcome;
import svc.operator.project.status.ProjectOutcome.Conflicted;
import svc.operator.project.status.ProjectOutcome.InOrder;
import svc.operator.project.status.ProjectOutcome.Paused;
import svc.operator.project.status.ProjectStatusMapper;
import svc.operator.runtime.ReconcilerTuning;

/**
 * Makes a Project true: who it is, that it is held by this resource, its schemas and roles, its keys, its status. Does all
 * of it every time, whatever woke it; a project in order costs one observation and no write.
 */
@Singleton
@ControllerConfiguration(
        name = ProjectReconciler.NAME,
        finalizerName = ProjectFinalizer.NAME,
        generationAwareEventProcessing = false,
        informer = @Informer(onUpdateFilter = MeaningfulChange.class))
// Reconciler is named though the next interface extends it: the SDK finds the kind only where it stands itself.
public class ProjectReconciler implements Reconciler<Project>, ConfigurableReconciler<Project>, Cleaner<Project> {
    public static final String NAME = "project";

    private final ProjectSteps steps;
    private final ProjectSettlement settlement;
    private final ProjectRemoval removal;
    private final ReconcilerTuning tuning;

    @Inject
    public ProjectReconciler(ProjectServices services) {
        var addresses = new ProjectAddresses(services.dataUrl());
        this.tuning = services.tuning();
        this.steps = new ProjectSteps(services, addresses);
        var events = new ResourceEvents(services.client(), services.clock(), services.observer());
        this.settlement = new ProjectSettlement(
                new ProjectStatusMapper(addresses),
                events,
                services.observer(),
                services.clock(),
                tuning.driftInterval());
        this.removal = new ProjectRemoval(
                services.database(),
                services.adopted(),
                settlement,
                events,
                services.observer(),
                services.clock(),
                tuning.deletionRetryInterval());
    }

    /** Called by Quarkus; a plain operator does the same when it registers this. */
    @Override
    public void updateConfigurationFrom(ControllerConfigurationOverrider<Project> controller) {
        tuning.apply(controller);
    }

    @Override
    public UpdateControl<Project> reconcile(Project project, Context<Project> context) {
        try (var about = about(project)) {
            long began = System.nanoTime();
            return settlement.settle(project, bringAbout(project, context), began);
        }
    }

    private ProjectOutcome bringAbout(Project project, Context<Project> context) {
        if (ProjectPause.isAsked(project)) {
            return new Paused();
        }
        var refusal = steps.refusal(project);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        var secrets = context.getSecondaryResources(Secret.class);
        Claimed claimed = steps.claimAndProvision(project);
        return switch (claimed.result()) {
            case Conflict conflict -> {
                steps.withdrawKeys(project, secrets);
                yield new Conflicted(conflict.what());
            }
            case Provisioned provisioned -> {
                var keys = steps.keys(project, provisioned.project());
                yield new InOrder(
                        provisioned,
                        steps.place(project, provisioned.project(), claimed.adopted()),
                        keys,
                        steps.handOutKeys(project, keys, secrets),
                        steps.verifyKeys(project, provisioned.project()),
                        steps.authSecrets(project, provisioned.project()));
            }
        };
    }

    @Override
    public ErrorStatusUpdateControl<Project> updateErrorStatus(
            Project project, Context<Project> context, Exception thrown) {
        try (var about = about(project)) {
            return settlement.fail(project, thrown);
        }
    }

    @Override
    public DeleteControl cleanup(Project project, Context<Project> context) {
        try (var about = about(project)) {
            return removal.remove(project, context);
        }
    }

    /** Wakes a project when its Secret is altered or removed. Watches our label only, not the cluster's Secrets. */
    @Override
    public List<EventSource<?, Project>> prepareEventSources(EventSourceContext<Project> context) {
        var secrets = InformerEventSourceConfiguration.from(Secret.class, Project.class)
                .withLabelSelector(Labels.selector(KeysSecret.PURPOSE))
                .withNamespacesInheritedFromController()
                .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(Project.class))
                .build();
        return List.of(new InformerEventSource<>(secrets, context));
    }

    private static ReconcileLog.Scope about(Project project) {
        return ReconcileLog.about(
                project.getMetadata().getNamespace(),
                project.getMetadata().getName(),
                ProjectIdentity.of(project).ref());
    }
}
