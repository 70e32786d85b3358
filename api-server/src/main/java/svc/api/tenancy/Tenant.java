package svc.api.tenancy;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.name.ProjectNames;

/**
 * What the data plane knows of one live project: enough to find its database, derive its logins and keys, and serve its
 * host. Built from the Project's status, never from a Secret.
 *
 * @param ref the first label of its host
 * @param names its schemas and roles
 * @param scope what its keys are derived from (project, incarnation; key version set per use)
 * @param masterKeyVersion which master key its secrets come from
 * @param keyVersions the versions in force of each purpose, the current one and, during a rotation, the one before
 * @param database where its schema lies
 * @param organization whose tokens may manage it
 * @param restUrl address of its REST API, without a slash at the end
 * @param rest what the project has decided about its REST API
 */
public record Tenant(
        String ref,
        ProjectNames names,
        ProjectKeyScope scope,
        int masterKeyVersion,
        Map<Purpose, Set<Integer>> keyVersions,
        DatabaseAddress database,
        String organization,
        String restUrl,
        RestSettings rest) {
    public Tenant {
        keyVersions = Map.copyOf(keyVersions);
    }

    public UUID projectId() {
        return names.projectId();
    }

    /**
     * A database that holds projects.
     *
     * @param name of the configured shared database
     * @param jdbcUrl without credentials
     */
    public record DatabaseAddress(String name, String jdbcUrl) {}
}
