package svc.extensions.project;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import svc.crds.project.Project;
import svc.database.name.ProjectNames;
import svc.platform.tenancy.ProjectListener;
import svc.platform.tenancy.ProjectWatch;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.platform.tenancy.TenantDirectory;

/** The projects of schemas, while they are served: neither paused, nor in quarantine, nor being deleted. */
@ApplicationScoped
public class LiveProjects implements ProjectListener {
    private final TenantDirectory tenants;
    private final Map<UUID, String> refs = new ConcurrentHashMap<>();

    public LiveProjects(TenantDirectory tenants) {
        this.tenants = tenants;
    }

    @Override
    public void seen(Project project) {
        id(project).ifPresent(id -> refs.put(id, ProjectWatch.refOf(project)));
    }

    @Override
    public void gone(Project project) {
        id(project).ifPresent(refs::remove);
    }

    /** The project whose main schema this is. */
    public Optional<Tenant> find(String schema) {
        return ProjectNames.projectIdOf(schema)
                .flatMap(id -> Optional.ofNullable(refs.get(id))
                        .flatMap(tenants::find)
                        .filter(tenant -> tenant.projectId().equals(id)));
    }

    /** The databases of the platform in which such projects are. */
    public Set<DatabaseAddress> sharedDatabases() {
        return refs.values().stream()
                .flatMap(ref -> tenants.find(ref).stream())
                .map(Tenant::database)
                .filter(database -> database.server() == Server.PLATFORM)
                .collect(Collectors.toSet());
    }

    private static Optional<UUID> id(Project project) {
        return Optional.ofNullable(project.getStatus())
                .filter(status -> status.projectId() != null)
                .map(status -> UUID.fromString(status.projectId()));
    }
}
