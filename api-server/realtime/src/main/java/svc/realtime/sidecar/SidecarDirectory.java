package svc.realtime.sidecar;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectStatus;
import svc.platform.tenancy.ProjectListener;
import svc.platform.tenancy.Tenant;

/** The sidecars that the operator has made, by project: as the status of the resource says that holds the project. */
@ApplicationScoped
class SidecarDirectory implements ProjectListener {
    private final Map<UUID, Sidecar> sidecars = new ConcurrentHashMap<>();

    /** The sidecar that serves a project's sockets; empty for one that the data plane serves itself. */
    Optional<Sidecar> of(Tenant tenant) {
        return Optional.ofNullable(sidecars.get(tenant.projectId()));
    }

    /** The id of the project that has this sidecar. */
    Optional<UUID> projectOf(Sidecar sidecar) {
        return sidecars.entrySet().stream()
                .filter(entry -> entry.getValue().equals(sidecar))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    @Override
    public void seen(Project project) {
        ProjectStatus status = project.getStatus();
        if (status == null || status.projectId() == null || !isClaimed(status)) {
            return;
        }
        UUID id = UUID.fromString(status.projectId());
        if (status.realtime() == null || status.realtime().deployment() == null) {
            sidecars.remove(id);
        } else {
            sidecars.put(
                    id,
                    new Sidecar(
                            project.getMetadata().getNamespace(),
                            status.realtime().deployment()));
        }
    }

    @Override
    public void gone(Project project) {
        ProjectStatus status = project.getStatus();
        if (status != null && status.projectId() != null && isClaimed(status)) {
            sidecars.remove(UUID.fromString(status.projectId()));
        }
    }

    private static boolean isClaimed(ProjectStatus status) {
        return Conditions.in(status.conditions(), ProjectCondition.CLAIMED)
                .filter(Condition::isTrue)
                .isPresent();
    }
}
