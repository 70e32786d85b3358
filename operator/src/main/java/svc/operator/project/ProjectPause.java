package svc.operator.project;

import svc.crds.project.Project;
import svc.operator.kubernetes.Annotations;

/** Whether an admin paused the project, by {@code spec.paused} or by the annotation. */
final class ProjectPause {
    private ProjectPause() {}

    static boolean isRequested(Project project) {
        return project.getSpec().paused() || Annotations.isTrue(project, Annotations.PAUSED);
    }
}
