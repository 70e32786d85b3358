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
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
import io.quarkiverse.operatorsdk.runtime.api.ConfigurableReconciler;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import svc.crds.project.Project;
import svc.crds.project.ProjectDatabase;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.database.DatabaseMode;
import svc.operator.config.ReconcilerTuning;
import svc.operator.kubernetes.Labels;
import svc.operator.kubernetes.MeaningfulChange;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.observe.ReconcileLog;
import svc.operator.project.ProjectSteps.Claimed;
import svc.operator.project.connection.ConnectionSecrets;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.ProvisionResult.Conflict;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.dedicated.DedicatedBackend;
import svc.operator.project.dedicated.cluster.ClusterEventSource;
import svc.operator.project.dedicated.cluster.ProjectClusters;
import svc.operator.project.desired.KeysSecret;
import svc.operator.project.desired.ProjectAddresses;
import svc.operator.project.status.ProjectOutcome;
import svc.operator.project.status.ProjectOutcome.Conflicted;
import svc.operator.project.status.ProjectOutcome.InOrder;
import svc.operator.project.status.ProjectOutcome.Paused;
import svc.operator.project.status.ProjectStatusMapper;

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

    /** The value of {@link Labels#PURPOSE} with which a Secret that leads to a database is followed at once. */
    public static final String CONNECTION = "database-connection";

    private static final Duration UNTIL_A_PLACE = Duration.ofSeconds(1);

    private final ProjectSteps steps;
    private final ProjectStatusUpdater settlement;
    private final ProjectCleanup removal;
    private final ReconcilerTuning tuning;
    private final Semaphore chosenServers;
    private volatile ClusterEventSource clusters;

    @Inject
    public ProjectReconciler(ProjectServices services) {
        var addresses = new ProjectAddresses(services.dataUrl());
        this.tuning = services.tuning();
        this.chosenServers = new Semaphore(tuning.chosenServersAtOnce());
        var dedicated = new DedicatedBackend(
                services.dedicated(), new ProjectClusters(services.client()), new ConnectionSecrets(services.client()));
        this.steps = new ProjectSteps(services, addresses, dedicated);
        var events = new ResourceEvents(services.client(), services.clock(), services.observer());
        this.settlement = new ProjectStatusUpdater(
                new ProjectStatusMapper(addresses),
                events,
                services.observer(),
                services.clock(),
                tuning.driftInterval());
        this.removal = new ProjectCleanup(
                services.database(),
                services.adopted(),
                dedicated,
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
        if (!takesPlace(project)) {
            return UpdateControl.<Project>noUpdate().rescheduleAfter(UNTIL_A_PLACE);
        }
        try (var about = about(project)) {
            long began = System.nanoTime();
            return settlement.settle(project, bringAbout(project, context), began);
        } finally {
            leavesPlace(project);
        }
    }

    private boolean takesPlace(Project project) {
        return !isOnChosenServer(project) || chosenServers.tryAcquire();
    }

    private void leavesPlace(Project project) {
        if (isOnChosenServer(project)) {
            chosenServers.release();
        }
    }

    private static boolean isOnChosenServer(Project project) {
        return project.getSpec().database().mode() == DatabaseMode.DEDICATED;
    }

    private ProjectOutcome bringAbout(Project project, Context<Project> context) {
        if (ProjectPause.isAsked(project)) {
            return new Paused();
        }
        var refusal = steps.refusal(project);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (clusters != null && DedicatedBackend.hasCluster(project)) {
            clusters.needed();
        }
        var secrets = context.getSecondaryResources(Secret.class);
        return switch (steps.claimAndProvision(project)) {
            case Claimed.Waiting(var why) -> why;
            case Claimed.Looked(var result, var place) -> looked(project, secrets, result, place);
        };
    }

    private ProjectOutcome looked(
            Project project, Set<Secret> secrets, ProvisionResult result, Optional<ProjectDatabase> place) {
        return switch (result) {
            case Conflict conflict -> {
                steps.withdrawKeys(project, secrets);
                yield new Conflicted(conflict.what());
            }
            case Provisioned provisioned -> {
                var keys = steps.keys(project, provisioned.project());
                yield new InOrder(
                        provisioned,
                        place.orElse(null),
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
        if (!takesPlace(project)) {
            return DeleteControl.noFinalizerRemoval().rescheduleAfter(UNTIL_A_PLACE.toMillis());
        }
        try (var about = about(project)) {
            return removal.remove(project, context);
        } finally {
            leavesPlace(project);
        }
    }

    /**
     * Wakes a project when its Secret is altered or removed, when the one that leads to its database changes, and when its
     * cluster does. Of Secrets our labels only are watched.
     */
    @Override
    public List<EventSource<?, Project>> prepareEventSources(EventSourceContext<Project> context) {
        var secrets = InformerEventSourceConfiguration.from(Secret.class, Project.class)
                .withLabelSelector(Labels.selector(KeysSecret.PURPOSE))
                .withNamespacesInheritedFromController()
                .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(Project.class))
                .build();
        var connections = InformerEventSourceConfiguration.from(Secret.class, Project.class)
                .withName("connection-secrets")
                .withLabelSelector(Labels.PURPOSE + "=" + CONNECTION)
                .withNamespacesInheritedFromController()
                .withSecondaryToPrimaryMapper(secret -> connectedBy(secret, context))
                .build();
        var namespaces = context.getControllerConfiguration().getInformerConfig();
        clusters = new ClusterEventSource(
                context.getClient(),
                namespaces.watchAllNamespaces()
                        ? Set.of()
                        : namespaces.getEffectiveNamespaces(context.getControllerConfiguration()),
                ref -> ids(context, project -> ProjectIdentity.of(project).ref().equals(ref)));
        return List.of(
                new InformerEventSource<>(secrets, context), new InformerEventSource<>(connections, context), clusters);
    }

    private static Set<ResourceID> connectedBy(Secret secret, EventSourceContext<Project> context) {
        String name = secret.getMetadata().getName();
        String namespace = secret.getMetadata().getNamespace();
        return ids(
                context,
                project -> namespace.equals(project.getMetadata().getNamespace())
                        && ConnectionSecrets.nameOf(project)
                                .filter(name::equals)
                                .isPresent());
    }

    private static Set<ResourceID> ids(EventSourceContext<Project> context, Predicate<Project> which) {
        return context.getPrimaryCache()
                .list(which)
                .map(ResourceID::fromResource)
                .collect(Collectors.toSet());
    }

    private static ReconcileLog.Scope about(Project project) {
        return ReconcileLog.about(
                project.getMetadata().getNamespace(),
                project.getMetadata().getName(),
                ProjectIdentity.of(project).ref());
    }
}
