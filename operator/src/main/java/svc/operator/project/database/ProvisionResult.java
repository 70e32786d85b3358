package svc.operator.project.database;

import java.util.List;
import svc.database.platform.Holder;
import svc.database.platform.ProjectRecord;

/** The outcome of {@link ProjectProvisioner#provision}. */
public sealed interface ProvisionResult {
    /** What a provisioning changed. */
    enum Change {
        /** Nothing: the project was converged. */
        NONE,
        /** The project was created, or its creation completed. */
        CREATED,
        /** The companion schemas were upgraded to a newer version. */
        UPGRADED,
        /** Manual changes were repaired, or the project was revived. */
        REPAIRED
    }

    /**
     * The project matches the request.
     *
     * @param steps names of the executed steps in order; empty for {@link Change#NONE}
     */
    record Provisioned(ProjectRecord project, Change change, List<String> steps) implements ProvisionResult {
        public Provisioned {
            steps = List.copyOf(steps);
        }
    }

    /**
     * Another resource holds the ref or the id; nothing was changed.
     *
     * @param what the contested ref or projectId, with its value
     */
    record Conflict(Holder heldBy, String what) implements ProvisionResult {}
}
