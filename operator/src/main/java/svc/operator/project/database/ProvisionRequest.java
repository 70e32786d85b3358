package svc.operator.project.database;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import svc.database.platform.Holder;
import svc.database.platform.Placement;
import svc.database.project.ProjectLimits;

/**
 * The desired state of a project's database, from its custom resource.
 *
 * @param placement used only when the project is new
 * @param limits of logins and objects
 * @param loginKeyVersion 1 or higher; raising it changes the passwords of all four logins
 * @param suspended whether the project's services are stopped; a project that is leaves quarantine
 */
public record ProvisionRequest(
        UUID projectId,
        String ref,
        Holder holder,
        Placement placement,
        ProjectLimits limits,
        int loginKeyVersion,
        boolean suspended) {
    public ProvisionRequest {
        requireNonNull(projectId, "projectId is null");
        requireNonNull(ref, "ref is null");
        requireNonNull(holder, "holder is null");
        requireNonNull(placement, "placement is null");
        requireNonNull(limits, "limits is null");
    }

    /** With the default limits and the first version of the passwords. */
    public static ProvisionRequest of(UUID projectId, String ref, Holder holder, Placement placement) {
        return new ProvisionRequest(projectId, ref, holder, placement, ProjectLimits.defaults(), 1, false);
    }
}
