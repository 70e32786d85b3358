package svc.management.token;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** Authenticates the header Authorization: a principal, or a 401 that names the reason. */
@ApplicationScoped
public class TokenAuthentication {
    private static final String BEARER = "bearer ";

    private final TokenRepository repository;
    private final Clock clock;

    public TokenAuthentication(TokenRepository repository, Clock clock) {
        this.repository = repository;
        this.clock = clock;
    }

    /**
     * @param authorization the header as received, null if there is none
     * @throws ProblemException 401, with a code of its own for each reason
     */
    public Principal authenticate(String authorization) {
        if (authorization == null || authorization.isBlank()) {
            throw Problem.of(ProblemCode.TOKEN_MISSING, "This call needs a personal access token.")
                    .withHint("Send the header Authorization: Bearer svc_pat_…")
                    .asException();
        }
        if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throw malformed();
        }
        TokenSecret secret = TokenSecret.parse(
                        authorization.substring(BEARER.length()).strip())
                .orElseThrow(TokenAuthentication::malformed);
        AccessToken token = repository
                .byHash(secret.hash())
                .orElseThrow(() -> Problem.of(ProblemCode.TOKEN_UNKNOWN, "The token does not exist.")
                        .asException());
        if (token.revokedAt().isPresent()) {
            throw Problem.of(ProblemCode.TOKEN_REVOKED, "This token was revoked.")
                    .asException();
        }
        if (token.expired(clock.instant())) {
            throw Problem.of(
                            ProblemCode.TOKEN_EXPIRED,
                            "This token expired at " + token.expiresAt().orElseThrow() + ".")
                    .withHint("Set a new expires_at with PATCH /v1/tokens/" + token.id()
                            + ", called with a token that has tokens_manage.")
                    .asException();
        }
        return token.principal();
    }

    private static ProblemException malformed() {
        return Problem.of(ProblemCode.TOKEN_MALFORMED, "The credential is not a personal access token.")
                .withHint("A personal access token begins with svc_pat_. Send it as Authorization: Bearer svc_pat_…")
                .asException();
    }
}
