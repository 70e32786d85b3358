package svc.management.problem;

import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** The answer to a call that needs the services of a project that is paused. */
public final class ProjectPaused {
    private ProjectPaused() {}

    public static ProblemException of(String ref) {
        return Problem.of(ProblemCode.PROJECT_PAUSED, "The project " + ref + " is paused: its services are stopped.")
                .withHint("Restore it with POST /v1/projects/" + ref + "/restore, or set spec.suspend of the Project to"
                        + " false.")
                .asException();
    }
}
