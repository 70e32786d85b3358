package svc.operator.project.sidecar;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.InstantSource;
import java.util.Optional;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.ProjectStatus;
import svc.crds.project.RealtimeStatus;
import svc.crds.project.RealtimeStatus.State;
import svc.database.key.MasterKey;
import svc.database.key.MasterKeys;
import svc.database.platform.ProjectRecord;
import svc.operator.kubernetes.OwnedObjects;
import svc.operator.kubernetes.OwnedObjects.Result;
import svc.operator.project.backend.BackendResult.OwnLog;
import svc.operator.project.keys.ProjectMasterKey;
import svc.operator.project.sidecar.desired.SidecarObjects;
import svc.operator.project.sidecar.desired.SidecarSettings;
import svc.operator.project.status.ProjectOutcome.Converged;
import svc.operator.project.status.ProjectStatusMapper;

/**
 * Reconciles the objects of a project's realtime sidecar. How many processes run, the data plane decides: this sets the
 * number once, to none, when it has made the Deployment.
 */
public final class SidecarReconciler {
    /** As of the data plane, so that no apply resets the number. */
    private static final PatchContext SCALING = new PatchContext.Builder()
            .withPatchType(PatchType.JSON)
            .withFieldManager("svc-scaling")
            .build();

    private static final String NONE = "[{\"op\":\"add\",\"path\":\"/spec/replicas\",\"value\":0}]";

    private final Optional<SidecarSettings> settings;
    private final KubernetesClient client;
    private final OwnedObjects objects;
    private final MasterKeys masterKeys;
    private final ProjectStatusMapper statuses;
    private final InstantSource clock;

    /** @param settings empty in an installation without sidecars */
    public SidecarReconciler(
            Optional<SidecarSettings> settings,
            KubernetesClient client,
            MasterKeys masterKeys,
            ProjectStatusMapper statuses,
            InstantSource clock) {
        this.settings = settings;
        this.client = client;
        this.objects = new OwnedObjects(client);
        this.masterKeys = masterKeys;
        this.statuses = statuses;
        this.clock = clock;
    }

    /** The outcome with the sidecar's state, for a project that may have one. */
    public Converged reconcile(Project project, Converged outcome) {
        Optional<OwnLog> log = outcome.database().ownLog();
        if (settings.isEmpty() || log.isEmpty()) {
            return outcome;
        }
        if (log.get().obstacle().isPresent()) {
            remove(project);
            return outcome.with(Optional.of(new RealtimeStatus(
                    null, State.UNAVAILABLE, log.get().obstacle().get())));
        }
        return outcome.with(Optional.of(apply(project, outcome, settings.get())));
    }

    private RealtimeStatus apply(Project project, Converged outcome, SidecarSettings with) {
        ProjectRecord record = outcome.provisioned().project();
        MasterKey master = ProjectMasterKey.of(masterKeys, record);
        ProjectStatus status = statuses.map(project, outcome, clock.instant());
        SidecarObjects wanted = SidecarObjects.of(project, status, master, record.keyScope(1), with, clock.instant());
        Optional<Deployment> found =
                Optional.ofNullable(client.resource(wanted.deployment()).get());
        Optional<String> foreign = own(project, wanted.policy(), "NetworkPolicy")
                .or(() -> own(project, wanted.secret(), "Secret"))
                .or(() -> own(project, wanted.service(), "Service"))
                .or(() -> result(
                        objects.reconcile(project, wanted.deployment(), found), wanted.deployment(), "Deployment"));
        if (foreign.isPresent()) {
            return new RealtimeStatus(null, State.UNAVAILABLE, foreign.get());
        }
        if (found.isEmpty()) {
            client.resource(wanted.deployment()).patch(SCALING, NONE);
        }
        return new RealtimeStatus(wanted.deployment().getMetadata().getName(), state(found), null);
    }

    private Optional<String> own(Project project, HasMetadata wanted, String kind) {
        return result(objects.reconcile(project, wanted, Optional.empty()), wanted, kind);
    }

    private static Optional<String> result(Result result, HasMetadata wanted, String kind) {
        return result == Result.NOT_OWNED
                ? Optional.of("The " + kind + " " + wanted.getMetadata().getName()
                        + " exists and is not owned by this Project: delete it.")
                : Optional.empty();
    }

    private static State state(Optional<Deployment> found) {
        int wanted = found.map(deployment -> deployment.getSpec().getReplicas()).orElse(0);
        if (wanted == 0) {
            return State.IDLE;
        }
        Integer ready =
                found.get().getStatus() == null ? null : found.get().getStatus().getReadyReplicas();
        return ready == null || ready == 0 ? State.STARTING : State.RUNNING;
    }

    /** Deletes the Deployment of a project that has no sidecar, or no longer; the other objects go with the Project. */
    public void remove(Project project) {
        if (settings.isEmpty() || project.getSpec().database().dedicated() == null) {
            return;
        }
        Deployment named = new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(project.getMetadata().getNamespace())
                .withName(SidecarObjects.name(ProjectIdentity.of(project).ref()))
                .endMetadata()
                .build();
        Optional.ofNullable(client.resource(named).get()).ifPresent(found -> objects.remove(project, found));
    }
}
