package svc.management.token;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
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
        String presented = authorization.substring(BEARER.length()).strip();
        Optional<TokenSecret> secret = TokenSecret.parse(presented);
        TokenRepository.Known known =
                secret.map(repository::find).orElseGet(() -> spelled(presented)).orElseThrow(() -> unknown(secret));
        Principal holder = active(known.token());
        if (known.unspelled()) {
            secret.ifPresent(text -> repository.spell(known.token().id(), SupabaseSpelling.of(text)));
        }
        return holder;
    }

    /**
     * The holder of a token that another credential belongs to.
     *
     * @throws ProblemException 401 if it is not active any more
     */
    public Principal byId(String organization, UUID id) {
        return active(repository
                .find(organization, id)
                .orElseThrow(() -> Problem.of(ProblemCode.TOKEN_UNKNOWN, "The token does not exist.")
                        .asException()));
    }

    private Principal active(AccessToken token) {
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

    private Optional<TokenRepository.Known> spelled(String presented) {
        return repository.find(SupabaseSpelling.parse(presented).orElseThrow(TokenAuthentication::malformed));
    }

    private static ProblemException unknown(Optional<TokenSecret> secret) {
        Problem problem = Problem.of(ProblemCode.TOKEN_UNKNOWN, "The token does not exist.");
        return (secret.isPresent()
                        ? problem
                        : problem.withHint(
                                "An sbp_ token is the second spelling of a svc_pat_ token. If that one is older than"
                                        + " this release, call /v1 with it once; then its second spelling is known."))
                .asException();
    }

    private static ProblemException malformed() {
        return Problem.of(ProblemCode.TOKEN_MALFORMED, "The credential is not a personal access token.")
                .withHint("A personal access token begins with svc_pat_. Send it as Authorization: Bearer svc_pat_…")
                .asException();
    }
}
