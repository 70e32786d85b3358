package svc.operator.project.database;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import svc.database.platform.ProjectRecord;
import svc.database.project.Observation;

/**
 * Caches the fingerprint of each project's last converged state. While request and fingerprint are unchanged, the project is
 * converged: reading all facts and planning, most of a reconciliation's cost, are skipped. Local to this process.
 */
final class ConvergedStateCache {
    private record Converged(ProjectRecord project, ProvisionRequest request, String fingerprint) {}

    private final Map<UUID, Converged> converged = new ConcurrentHashMap<>();

    /** The {@link Observation#fingerprint} of the converged state; empty when project or request changed since. */
    Optional<String> fingerprint(ProjectRecord project, ProvisionRequest request) {
        return Optional.ofNullable(converged.get(project.projectId()))
                .filter(before -> before.project.equals(project) && before.request.equals(request))
                .map(Converged::fingerprint);
    }

    /** @param fingerprint of the observed state, which matches the request */
    void remember(ProjectRecord project, ProvisionRequest request, String fingerprint) {
        converged.put(project.projectId(), new Converged(project, request, fingerprint));
    }

    void forget(UUID projectId) {
        converged.remove(projectId);
    }
}
