package svc.management.function;

import java.util.Optional;
import java.util.UUID;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectIdentity;

/**
 * A project that holds its id. One that only claims it, and lost the claim to another, must never come near what is kept
 * under the id: it is the other's.
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

    String ref() {
        return ProjectIdentity.of(resource).ref();
    }
}
