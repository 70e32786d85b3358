package svc.operator.project;

import svc.crds.project.Project;
import svc.operator.kubernetes.Annotations;

/** Whether an admin asked us to keep our hands off, in either of the two ways. */
final class ProjectPause {
    private ProjectPause() {}

    static boolean isAsked(Project project) {
        return project.getSpec().paused() || Annotations.isTrue(project, Annotations.PAUSED);
    }
}
