package svc.platform.tenancy;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jboss.logging.Logger;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.database.network.ServerNetworks;

/**
 * The live projects by ref, kept by the watch. One ref is served for one resource: only one can hold its claim, and what
 * another one says or stops saying does not touch it.
 */
@ApplicationScoped
class KubernetesTenantDirectory implements TenantDirectory, ProjectListener {
    private static final Logger LOG = Logger.getLogger(KubernetesTenantDirectory.class);

    private final Clock clock;
    private final ServerNetworks networks;
    private final Map<String, Entry> byRef = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    KubernetesTenantDirectory(Clock clock, ServerNetworks networks) {
        this.clock = clock;
        this.networks = networks;
    }

    /**
     * @param tenant one object per state, because others remember things of it by identity
     * @param until when the tenant must be computed again although the project did not change
     */
    private record Entry(Project project, Tenant tenant, Instant until) {
        boolean suspended() {
            return project.getSpec().suspend() || quarantined();
        }

        boolean quarantined() {
            return Conditions.in(project.getStatus().conditions(), ProjectCondition.DATABASE_READY)
                    .filter(Condition::isFalse)
                    .filter(condition -> condition.reason().equals(ProjectCondition.QUARANTINED))
                    .isPresent();
        }

        boolean of(Project other) {
            return project.getMetadata().getUid().equals(other.getMetadata().getUid());
        }
    }

    @Override
    public Optional<Tenant> find(String ref) {
        return entry(ref).filter(entry -> !entry.suspended()).map(Entry::tenant);
    }

    @Override
    public Optional<Tenant> suspended(String ref) {
        return entry(ref).filter(Entry::suspended).map(Entry::tenant);
    }

    @Override
    public boolean quarantined(String ref) {
        return entry(ref).filter(Entry::quarantined).isPresent();
    }

    private Optional<Entry> entry(String ref) {
        Entry entry = byRef.get(ref);
        if (entry == null) {
            return Optional.empty();
        }
        if (!clock.instant().isBefore(entry.until())) {
            seen(entry.project());
            entry = byRef.get(ref);
        }
        return Optional.ofNullable(entry);
    }

    @Override
    public void onChange(Listener listener) {
        listeners.add(listener);
    }

    @Override
    public void seen(Project project) {
        String ref = ProjectWatch.refOf(project);
        Instant now = clock.instant();
        Optional<Tenant> tenant = tenant(project, now);
        if (tenant.isEmpty()) {
            remove(ref, project);
            return;
        }
        Instant until = TenantOfProject.changesAt(project, now).orElse(Instant.MAX);
        Entry before = byRef.get(ref);
        // The same state keeps its object, so that what is remembered of it stays valid.
        boolean same = before != null && before.tenant().equals(tenant.get());
        var after = new Entry(project, same ? before.tenant() : tenant.get(), until);
        byRef.put(ref, after);
        if (!same || before.suspended() != after.suspended()) {
            tell(ref);
        }
    }

    @Override
    public void gone(Project project) {
        remove(ProjectWatch.refOf(project), project);
    }

    private Optional<Tenant> tenant(Project project, Instant now) {
        try {
            return TenantOfProject.of(project, now, networks);
        } catch (IllegalArgumentException e) {
            // A status that makes no sense is one project's trouble; the watch goes on for the others.
            LOG.errorf(
                    e,
                    "the status of project %s/%s cannot be read",
                    project.getMetadata().getNamespace(),
                    project.getMetadata().getName());
            return Optional.empty();
        }
    }

    private void remove(String ref, Project project) {
        Entry entry = byRef.get(ref);
        if (entry != null && entry.of(project) && byRef.remove(ref, entry)) {
            tell(ref);
        }
    }

    private void tell(String ref) {
        listeners.forEach(listener -> listener.changed(ref));
    }
}
