package svc.management.project;

import java.util.Optional;
import svc.crds.condition.Condition;
import svc.crds.condition.ConditionTypes;
import svc.crds.condition.Conditions;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;

/**
 * A project's state in the words of Supabase's Management API: its clients accept no other word, so this is a subset of
 * its enumeration.
 */
public enum ProjectState {
    /** Never Ready yet, and nothing says that it will not be. */
    COMING_UP,
    ACTIVE_HEALTHY,
    /** Was Ready and is not. */
    ACTIVE_UNHEALTHY,
    /** Never Ready, and waiting alone will not help. */
    INIT_FAILED,
    /** Was Ready; what it is now has not been judged. */
    UNKNOWN,
    GOING_DOWN;

    /** The state that the conditions add up to. Pure. */
    static ProjectState of(Project project) {
        if (project.isMarkedForDeletion()) {
            return GOING_DOWN;
        }
        Optional<Condition> ready = project.getStatus() == null
                ? Optional.empty()
                : Conditions.in(project.getStatus().conditions(), ConditionTypes.READY);
        if (ready.filter(Condition::isTrue).isPresent()) {
            return ACTIVE_HEALTHY;
        }
        // The operator writes the anon key when a project has become Ready for the first time, and never takes it away.
        boolean wasReady = project.getStatus() != null && project.getStatus().anonKey() != null;
        if (ready.filter(Condition::isFalse).isPresent()) {
            if (wasReady) {
                return ACTIVE_UNHEALTHY;
            }
            return lostItsClaim(project) ? INIT_FAILED : COMING_UP;
        }
        return wasReady ? UNKNOWN : COMING_UP;
    }

    /** The one failure that the operator cannot get over by trying again. */
    static boolean lostItsClaim(Project project) {
        return project.getStatus() != null
                && Conditions.in(project.getStatus().conditions(), ProjectCondition.CLAIMED)
                        .filter(Condition::isFalse)
                        .isPresent();
    }
}
