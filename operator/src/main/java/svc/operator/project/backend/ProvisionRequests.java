package svc.operator.project.backend;

import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.database.platform.Holder;
import svc.database.platform.Placement;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.desired.DatabaseLimits;

/** Reads what the database ports need from a Project. Pure. */
public final class ProvisionRequests {
    private ProvisionRequests() {}

    public static ProvisionRequest of(Project project, Placement placement) {
        ProjectIdentity identity = ProjectIdentity.of(project);
        var spec = project.getSpec();
        return new ProvisionRequest(
                identity.projectId(),
                identity.ref(),
                holder(project),
                placement,
                DatabaseLimits.of(spec.limits()),
                spec.keys().database().version(),
                spec.suspend());
    }

    /** The resource as the registry records it. */
    public static Holder holder(Project project) {
        return new Holder(
                project.getMetadata().getNamespace(), project.getMetadata().getName());
    }
}
