package svc.management.project;

import java.util.Optional;
import svc.crds.condition.Condition;
import svc.crds.condition.ConditionTypes;
import svc.crds.condition.Conditions;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;

/** A project's state in the enumeration of Supabase's Management API, whose clients accept no other value. */
public enum ProjectState {
    /** Never Ready yet, and no condition says that it cannot be. */
    COMING_UP,
    ACTIVE_HEALTHY,
    /** Was Ready and is not. */
    ACTIVE_UNHEALTHY,
    /** Never Ready, and cannot become so by waiting. */
    INIT_FAILED,
    /** Was Ready; its current state is not known yet. */
    UNKNOWN,
    /** Its services are to stop, and the operator has not seen it yet. */
    PAUSING,
    /** Paused: its services are stopped. */
    INACTIVE,
    /** Its services are to start again, and the operator has not seen it yet. */
    RESTORING,
    GOING_DOWN;

    /** Derives the state from the conditions. Pure. */
    public static ProjectState of(Project project) {
        if (project.isMarkedForDeletion()) {
            return GOING_DOWN;
        }
        // The operator writes the anon key when a project is Ready for the first time, and never removes it.
        boolean wasReady = project.getStatus() != null && project.getStatus().anonKey() != null;
        boolean stopped = wasReady
                && Conditions.in(project.getStatus().conditions(), ProjectCondition.SUSPENDED)
                        .filter(Condition::isTrue)
                        .isPresent();
        if (wasReady && project.getSpec().suspend()) {
            return stopped ? INACTIVE : PAUSING;
        }
        if (stopped) {
            return RESTORING;
        }
        Optional<Condition> ready = project.getStatus() == null
                ? Optional.empty()
                : Conditions.in(project.getStatus().conditions(), ConditionTypes.READY);
        if (ready.filter(Condition::isTrue).isPresent()) {
            return ACTIVE_HEALTHY;
        }
        if (ready.filter(Condition::isFalse).isPresent()) {
            if (wasReady) {
                return ACTIVE_UNHEALTHY;
            }
            return hasLostClaim(project) ? INIT_FAILED : COMING_UP;
        }
        return wasReady ? UNKNOWN : COMING_UP;
    }

    /** The only failure that the operator cannot resolve by retrying. */
    static boolean hasLostClaim(Project project) {
        return project.getStatus() != null
                && Conditions.in(project.getStatus().conditions(), ProjectCondition.CLAIMED)
                        .filter(Condition::isFalse)
                        .isPresent();
    }
}
