package svc.management.token;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** From the header Authorization to the principal, or to the one 401 that says what is wrong with the token. */
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
     * @param authorization the header as it came, null when there is none
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
                .orElseThrow(() -> Problem.of(ProblemCode.TOKEN_UNKNOWN, "No such token exists.")
                        .asException());
        if (token.revokedAt().isPresent()) {
            throw Problem.of(ProblemCode.TOKEN_REVOKED, "This token was revoked.")
                    .asException();
        }
        if (token.expired(clock.instant())) {
            throw Problem.of(
                            ProblemCode.TOKEN_EXPIRED,
                            "This token expired at " + token.expiresAt().orElseThrow() + ".")
                    .withHint("Set another expires_at with PATCH /v1/tokens/" + token.id()
                            + ", called with a token that has tokens_manage.")
                    .asException();
        }
        return token.principal();
    }

    private static ProblemException malformed() {
        return Problem.of(ProblemCode.TOKEN_MALFORMED, "What was sent is not a personal access token.")
                .withHint("One begins with svc_pat_ and is sent as Authorization: Bearer svc_pat_…")
                .asException();
    }
}
