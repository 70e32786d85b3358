package svc.database.platform;

import java.util.Set;
import java.util.UUID;
import svc.database.key.Incarnation;
import svc.database.key.ProjectKeyScope;
import svc.database.name.Layout;
import svc.database.name.ProjectNames;
import svc.database.project.companion.CompanionSchema;

/**
 * A project as the registry holds it.
 *
 * @param databaseName which of the configured databases it lies in
 * @param companionVersion 0 until it was provisioned for the first time
 * @param services those it has used, whose companions are complete
 */
public record ProjectRecord(
        UUID projectId,
        String ref,
        Layout layout,
        Holder holder,
        String databaseName,
        Incarnation incarnation,
        int masterKeyVersion,
        int companionVersion,
        Set<CompanionSchema> services,
        State state) {
    public ProjectRecord {
        services = Set.copyOf(services);
    }

    /** Whether the project is served, or only kept. */
    public enum State {
        ACTIVE,
        RETAINED
    }

    public ProjectNames names() {
        return new ProjectNames(projectId, layout);
    }

    public ProjectKeyScope keyScope(int keyVersion) {
        return new ProjectKeyScope(projectId, incarnation, keyVersion);
    }
}
