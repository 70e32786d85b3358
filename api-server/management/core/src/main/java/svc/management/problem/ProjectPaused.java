package svc.management.problem;

import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** The answer to a call that needs the services of a project that is paused. */
public final class ProjectPaused {
    private ProjectPaused() {}

    /** Of a project whose logins the operator has closed, as its log says. */
    public static ProblemException quarantined(String ref) {
        return Problem.of(
                        ProblemCode.PROJECT_PAUSED,
                        "The project " + ref + " is in quarantine: it used more of the database server than it may.")
                .withHint("Its log and the Ready condition of the Project say why. Mend the cause, then call POST"
                        + " /v1/projects/" + ref + "/pause and POST /v1/projects/" + ref + "/restore.")
                .asException();
    }

    public static ProblemException of(String ref) {
        return Problem.of(ProblemCode.PROJECT_PAUSED, "The project " + ref + " is paused: its services are stopped.")
                .withHint("Restore it with POST /v1/projects/" + ref + "/restore, or set spec.suspend of the Project to"
                        + " false.")
                .asException();
    }
}
