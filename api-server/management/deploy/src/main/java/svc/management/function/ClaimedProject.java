package svc.management.function;

import java.util.Optional;
import java.util.UUID;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectIdentity;
import svc.platform.budget.SharedPlaces.Caller;

/**
 * A project that holds the claim on its id. A project without the claim must never access what is stored under the id:
 * it belongs to another project.
 */
record ClaimedProject(Project resource, UUID projectId) {
    static Optional<ClaimedProject> of(Project project) {
        boolean claimed = project.getStatus() != null
                && Conditions.in(project.getStatus().conditions(), ProjectCondition.CLAIMED)
                        .filter(Condition::isTrue)
                        .isPresent();
        return claimed
                ? Optional.of(
                        new ClaimedProject(project, ProjectIdentity.of(project).projectId()))
                : Optional.empty();
    }

    /** On whose behalf its functions are bundled. */
    Caller caller() {
        return new Caller(resource.getSpec().organization(), ref());
    }

    String ref() {
        return ProjectIdentity.of(resource).ref();
    }
}
