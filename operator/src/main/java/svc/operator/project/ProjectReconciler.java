package svc.operator.project;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
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
import svc.crds.project.ProjectIdentity;
import svc.operator.config.ReconcilerTuning;
import svc.operator.kubernetes.InformerSync;
import svc.operator.kubernetes.Labels;
import svc.operator.kubernetes.MeaningfulChange;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.observe.ReconcileLog;
import svc.operator.project.adopted.AdoptedBackend;
import svc.operator.project.backend.BackendResult;
import svc.operator.project.backend.ProjectBackend;
import svc.operator.project.connection.ConnectionSecrets;
import svc.operator.project.dedicated.DedicatedBackend;
import svc.operator.project.dedicated.cluster.ClusterEventSource;
import svc.operator.project.dedicated.cluster.ProjectClusters;
import svc.operator.project.desired.KeysSecret;
import svc.operator.project.desired.ProjectAddresses;
import svc.operator.project.failure.Failure;
import svc.operator.project.keys.KeysSecretReconciler;
import svc.operator.project.keys.SecretValues;
import svc.operator.project.shared.SharedBackend;
import svc.operator.project.sidecar.SidecarReconciler;
import svc.operator.project.sidecar.desired.SidecarObjects;
import svc.operator.project.status.ProjectOutcome;
import svc.operator.project.status.ProjectOutcome.Conflicted;
import svc.operator.project.status.ProjectOutcome.Failed;
import svc.operator.project.status.ProjectOutcome.Paused;
import svc.operator.project.status.ProjectStatusMapper;

/**
 * Reconciles a Project: pause, refusal by the spec, claim and database, keys, status. Runs all steps every time, whatever
 * triggered it; a converged project costs one observation of its database and no write.
 */
@Singleton
@ControllerConfiguration(
        name = ProjectReconciler.NAME,
        finalizerName = ProjectFinalizer.NAME,
        generationAwareEventProcessing = false,
        informer = @Informer(onUpdateFilter = MeaningfulChange.class))
// Reconciler is named although the next interface extends it: the SDK reads the kind only from a direct interface.
public class ProjectReconciler implements Reconciler<Project>, ConfigurableReconciler<Project>, Cleaner<Project> {
    public static final String NAME = "project";

    /** The value of {@link Labels#PURPOSE} on connection Secrets whose changes trigger a reconciliation. */
    public static final String CONNECTION = "database-connection";

    private static final Duration EXTERNAL_SERVER_RETRY_INTERVAL = Duration.ofSeconds(1);

    private final ProjectBackends backends;
    private final ProjectKeys keys;
    private final ProjectStatusUpdater statusUpdater;
    private final SidecarReconciler sidecars;
    private final ProjectCleanup cleanup;
    private final ReconcilerTuning tuning;
    private final Semaphore externalServers;
    private final ProjectTrigger trigger;

    @Inject
    public ProjectReconciler(ProjectServices services) {
        var client = services.client();
        var addresses = new ProjectAddresses(services.dataUrl());
        this.tuning = services.tuning();
        this.trigger = services.trigger();
        this.externalServers = new Semaphore(tuning.maxConcurrentExternalServers());
        this.backends = backends(services);
        this.keys = new ProjectKeys(
                services.masterKeys(), addresses, new KeysSecretReconciler(client), new SecretValues(client));
        var events = new ResourceEvents(client, services.clock(), services.observer());
        var statuses = new ProjectStatusMapper(addresses);
        this.sidecars =
                new SidecarReconciler(services.sidecars(), client, services.masterKeys(), statuses, services.clock());
        this.statusUpdater = new ProjectStatusUpdater(
                statuses, events, services.observer(), services.clock(), tuning.driftInterval());
        this.cleanup = new ProjectCleanup(
                backends, statusUpdater, events, services.observer(), services.clock(), tuning.deletionRetryInterval());
    }

    private static ProjectBackends backends(ProjectServices services) {
        var connections = new ConnectionSecrets(services.client());
        return new ProjectBackends(
                new SharedBackend(services.database(), services.locations()),
                new DedicatedBackend(services.dedicated(), new ProjectClusters(services.client()), connections),
                new AdoptedBackend(services.adopted(), connections, services.masterKeys()));
    }

    /** Called by Quarkus; a plain operator calls it when it registers this reconciler. */
    @Override
    public void updateConfigurationFrom(ControllerConfigurationOverrider<Project> controller) {
        tuning.apply(controller);
    }

    @Override
    public UpdateControl<Project> reconcile(Project project, Context<Project> context) {
        ProjectBackend backend = backends.of(project);
        if (!tryAcquireServer(backend)) {
            return UpdateControl.<Project>noUpdate().rescheduleAfter(EXTERNAL_SERVER_RETRY_INTERVAL);
        }
        try (var scope = logScope(project)) {
            long startNanos = System.nanoTime();
            return statusUpdater.update(project, reconcileDatabase(project, backend, context), startNanos);
        } finally {
            releaseServer(backend);
        }
    }

    private boolean tryAcquireServer(ProjectBackend backend) {
        return !backend.isOnExternalServer() || externalServers.tryAcquire();
    }

    private void releaseServer(ProjectBackend backend) {
        if (backend.isOnExternalServer()) {
            externalServers.release();
        }
    }

    private ProjectOutcome reconcileDatabase(Project project, ProjectBackend backend, Context<Project> context) {
        if (ProjectPause.isRequested(project)) {
            return new Paused();
        }
        Optional<Failure> refusal = backend.refusal(project);
        if (refusal.isPresent()) {
            return new Failed(refusal.get());
        }
        if (backend.needsClusterEvents(project)) {
            clusterEvents(context).startWatching();
        }
        return toOutcome(project, backend.reconcile(project), context.getSecondaryResources(Secret.class));
    }

    private ProjectOutcome toOutcome(Project project, BackendResult result, Set<Secret> knownSecrets) {
        return switch (result) {
            case BackendResult.Conflicted(var what) -> {
                keys.withdraw(project, knownSecrets);
                sidecars.remove(project);
                yield new Conflicted(what);
            }
            case BackendResult.Waiting(var why) -> new Failed(why);
            case BackendResult.Ready ready -> {
                statusUpdater.reportChange(project, ready.provisioned());
                yield sidecars.reconcile(project, keys.issue(project, ready, knownSecrets));
            }
        };
    }

    @Override
    public ErrorStatusUpdateControl<Project> updateErrorStatus(
            Project project, Context<Project> context, Exception thrown) {
        try (var scope = logScope(project)) {
            return statusUpdater.updateFailed(project, thrown);
        }
    }

    @Override
    public DeleteControl cleanup(Project project, Context<Project> context) {
        ProjectBackend backend = backends.of(project);
        if (!tryAcquireServer(backend)) {
            return DeleteControl.noFinalizerRemoval().rescheduleAfter(EXTERNAL_SERVER_RETRY_INTERVAL.toMillis());
        }
        try (var scope = logScope(project)) {
            // Before its database: it reads the log as long as it runs.
            sidecars.remove(project);
            return cleanup.cleanUp(project, context);
        } finally {
            releaseServer(backend);
        }
    }

    /**
     * Triggers a reconciliation when the project's keys Secret, its labelled connection Secret, its Cluster or its sidecar
     * changes. Other Secrets are not watched.
     */
    @Override
    public List<EventSource<?, Project>> prepareEventSources(EventSourceContext<Project> context) {
        var secrets = InformerEventSourceConfiguration.from(Secret.class, Project.class)
                .withLabelSelector(Labels.selector(KeysSecret.PURPOSE))
                .withNamespacesInheritedFromController()
                .withInformerListLimit(InformerSync.PAGE_SIZE)
                .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(Project.class))
                .build();
        var connections = InformerEventSourceConfiguration.from(Secret.class, Project.class)
                .withName("connection-secrets")
                .withLabelSelector(Labels.PURPOSE + "=" + CONNECTION)
                .withNamespacesInheritedFromController()
                .withInformerListLimit(InformerSync.PAGE_SIZE)
                .withSecondaryToPrimaryMapper(secret -> connectedBy(secret, context))
                .build();
        var deployments = InformerEventSourceConfiguration.from(Deployment.class, Project.class)
                .withLabelSelector(Labels.selector(SidecarObjects.PURPOSE))
                .withNamespacesInheritedFromController()
                .withInformerListLimit(InformerSync.PAGE_SIZE)
                .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(Project.class))
                .build();
        return List.of(
                new InformerEventSource<>(deployments, context),
                new InformerEventSource<>(secrets, context),
                new InformerEventSource<>(connections, context),
                clusterEventSource(context),
                new TriggeredProjects(
                        trigger,
                        id -> ids(
                                context,
                                project ->
                                        ProjectIdentity.of(project).projectId().equals(id))));
    }

    private static ClusterEventSource clusterEventSource(EventSourceContext<Project> context) {
        var namespaces = context.getControllerConfiguration().getInformerConfig();
        return new ClusterEventSource(
                context.getClient(),
                namespaces.watchAllNamespaces()
                        ? Set.of()
                        : namespaces.getEffectiveNamespaces(context.getControllerConfiguration()),
                ref -> ids(context, project -> ProjectIdentity.of(project).ref().equals(ref)));
    }

    private static ClusterEventSource clusterEvents(Context<Project> context) {
        return (ClusterEventSource) context.eventSourceRetriever()
                .getEventSourceFor(GenericKubernetesResource.class, ClusterEventSource.NAME);
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

    private static Set<ResourceID> ids(EventSourceContext<Project> context, Predicate<Project> filter) {
        return context.getPrimaryCache()
                .list(filter)
                .map(ResourceID::fromResource)
                .collect(Collectors.toSet());
    }

    private static ReconcileLog.Scope logScope(Project project) {
        return ReconcileLog.scope(
                project.getMetadata().getNamespace(),
                project.getMetadata().getName(),
                ProjectIdentity.of(project).ref());
    }
}
