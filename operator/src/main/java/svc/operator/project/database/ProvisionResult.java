package svc.operator.project.database;

import java.util.List;
import svc.database.platform.Holder;
import svc.database.platform.ProjectRecord;

/** What {@link ProjectProvisioner#provision} came to. */
public sealed interface ProvisionResult {
    /** Why something had to be done. */
    enum Change {
        /** Nothing was written. */
        NONE,
        /** The project is new, or was never completed before. */
        CREATED,
        /** The companions are of a newer version now. */
        UPGRADED,
        /** Something had been removed or altered by hand, or the project was revived. */
        REPAIRED
    }

    /**
     * Everything of the project is true.
     *
     * @param steps the names of what was done, in order; empty for {@link Change#NONE}
     */
    record Provisioned(ProjectRecord project, Change change, List<String> steps) implements ProvisionResult {
        public Provisioned {
            steps = List.copyOf(steps);
        }
    }

    /**
     * Another resource holds the ref or the id; nothing was touched.
     *
     * @param what the contested ref or projectId, with its value
     */
    record Conflict(Holder heldBy, String what) implements ProvisionResult {}
}
