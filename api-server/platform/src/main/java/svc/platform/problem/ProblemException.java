package svc.platform.problem;

/** Carries a {@link Problem} to the mapper. It has a stack trace only if there is a cause to log. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    ProblemException(Problem problem, Throwable cause) {
        super(problem.code().wire() + ": " + problem.detail(), cause, false, cause != null);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
