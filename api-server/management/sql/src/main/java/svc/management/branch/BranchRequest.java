package svc.management.branch;

import java.util.Optional;
import svc.management.branch.BranchBodies.Create;
import svc.management.branch.BranchBodies.Work;
import svc.management.problem.DisplayName;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** Checks the fields of requests. Pure; each method throws a problem of status 400. */
final class BranchRequest {
    /** In characters; the name is that of the branch's project. */
    private static final int MAX_NAME_LENGTH = 63;

    private static final int MAX_GIT_BRANCH_LENGTH = 255;
    private static final int MAX_SEED_LENGTH = 256 << 10;

    private BranchRequest() {}

    static void check(Create body) {
        if (Boolean.TRUE.equals(body.isDefault())) {
            throw invalid("/is_default", "must be false: the project itself is the default branch");
        }
        if (body.secrets() != null && !body.secrets().isEmpty()) {
            throw invalid("/secrets", "must be empty: set the secrets of functions in the branch's project");
        }
    }

    static String name(String text) {
        return DisplayName.checked("The branch's", text, MAX_NAME_LENGTH);
    }

    /** Empty for none. */
    static Optional<String> seed(String text) {
        if (text != null && text.length() > MAX_SEED_LENGTH) {
            throw invalid("/seed", "must have at most " + MAX_SEED_LENGTH + " characters");
        }
        return Optional.ofNullable(text).filter(sql -> !sql.isBlank());
    }

    /**
     * The same of a body that may be left out.
     *
     * @param reset whether the call takes one
     */
    static Optional<String> seed(Work body, boolean reset) {
        Optional<String> seed = seed(body == null ? null : body.seed());
        if (seed.isPresent() && !reset) {
            throw invalid("/seed", "is for a reset");
        }
        return seed;
    }

    /** The last migration to apply; empty for all. */
    static Optional<String> last(Work body) {
        return Optional.ofNullable(body).map(Work::migrationVersion).filter(text -> !text.isEmpty());
    }

    /** The platform alone says how far a branch is. */
    static void checkStatus(String wanted, BranchStatus now) {
        if (wanted != null && !wanted.equals(now.name())) {
            throw invalid("/status", "is " + now + " and cannot be set: reset or rebase the branch");
        }
    }

    /** Null for none. */
    static String gitBranch(String text) {
        if (text != null && (text.isBlank() || text.length() > MAX_GIT_BRANCH_LENGTH)) {
            throw invalid("/git_branch", "must have 1 to " + MAX_GIT_BRANCH_LENGTH + " characters");
        }
        return text;
    }

    static ProblemException invalid(String pointer, String what) {
        return Problem.of(ProblemCode.INVALID_BODY, "The field " + pointer + " " + what + ".")
                .withError(pointer, what)
                .asException();
    }
}
