package svc.management.admission;

import svc.management.token.Principal;

/**
 * How callers of one path of the control plane authenticate, where it takes other credentials than personal access tokens. A bean
 * for each such path; the module that serves the path has it.
 */
public interface PathAuthentication {
    /** The whole path, under {@code /v1}. */
    String path();

    /**
     * Reads the platform's database, so it blocks.
     *
     * @param authorization the header as received, null if there is none
     * @throws svc.platform.problem.ProblemException 401
     */
    Principal authenticate(String authorization);

    /** The header WWW-Authenticate of a 401 of this path. */
    String challenge();
}
