package svc.operator.project.database;

import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import svc.database.platform.ProjectRecord;
import svc.database.project.Fact;

/**
 * What was found true of each project when it was in order. While nothing else is asked for and nothing else is found, it
 * still is, and what should be true need not be worked out anew, which is most of what a look costs this process. Holds
 * nothing that another process would need.
 */
final class SettledProjects {
    /**
     * @param own its passwords, which no other project has
     * @param common the rest, one set for all projects of which it is true
     */
    private record Settled(ProjectRecord project, ProvisionRequest request, Set<Fact> own, Set<Fact> common) {}

    private final Map<UUID, Settled> settled = new ConcurrentHashMap<>();
    /** A set goes when the last project goes of which it is true. Guarded by itself. */
    private final Map<Set<Fact>, WeakReference<Set<Fact>>> common = new WeakHashMap<>();

    /** Whether a look found what was true when this was asked for and the project was in order. */
    boolean contain(ProjectRecord project, ProvisionRequest request, Set<Fact> observed) {
        Settled before = settled.get(project.projectId());
        return before != null
                && before.project.equals(project)
                && before.request.equals(request)
                && before.own.size() + before.common.size() == observed.size()
                && observed.containsAll(before.own)
                && observed.containsAll(before.common);
    }

    /** @param observed all that is true of it, and just what should be */
    void remember(ProjectRecord project, ProvisionRequest request, Set<Fact> observed) {
        Set<Fact> own = new HashSet<>();
        Set<Fact> others = new HashSet<>();
        observed.forEach(fact -> (fact.kind() == Fact.Kind.PASSWORD ? own : others).add(fact));
        settled.put(project.projectId(), new Settled(project, request, Set.copyOf(own), shared(Set.copyOf(others))));
    }

    private Set<Fact> shared(Set<Fact> facts) {
        synchronized (common) {
            WeakReference<Set<Fact>> known = common.get(facts);
            Set<Fact> found = known == null ? null : known.get();
            if (found == null) {
                common.put(facts, new WeakReference<>(facts));
                return facts;
            }
            return found;
        }
    }

    void forget(UUID projectId) {
        settled.remove(projectId);
    }
}
