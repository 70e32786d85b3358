package svc.operator.project.database;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import svc.database.platform.ProjectRecord;
import svc.database.project.Observation;

/**
 * The print of what was true of each project when it was in order. While nothing else is asked for and the print is the same,
 * it still is: then neither the facts need be read nor what should be true be worked out anew, which is most of what a look
 * costs this process. Holds nothing that another process would need.
 */
final class ConvergedStateCache {
    private record Settled(ProjectRecord project, ProvisionRequest request, String print) {}

    private final Map<UUID, Settled> settled = new ConcurrentHashMap<>();

    /** The {@link Observation#print} with which it is in order; empty when something else was asked for than is now. */
    Optional<String> print(ProjectRecord project, ProvisionRequest request) {
        return Optional.ofNullable(settled.get(project.projectId()))
                .filter(before -> before.project.equals(project) && before.request.equals(request))
                .map(Settled::print);
    }

    /** @param print of all that is true of it, and just what should be */
    void remember(ProjectRecord project, ProvisionRequest request, String print) {
        settled.put(project.projectId(), new Settled(project, request, print));
    }

    void forget(UUID projectId) {
        settled.remove(projectId);
    }
}
