package svc.management.mcp.token;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.database.key.KeyKind;
import svc.management.token.Permission;
import svc.management.token.Principal;
import svc.management.token.TokenAuthentication;
import svc.management.token.TokenSecret;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** Authenticates MCP clients: by a token of their own, or by a personal access token. */
@ApplicationScoped
public class McpAuthentication {
    private static final String BEARER = "bearer ";

    private final McpTokenRepository repository;
    private final TokenAuthentication tokens;
    private final Clock clock;

    McpAuthentication(McpTokenRepository repository, TokenAuthentication tokens, Clock clock) {
        this.repository = repository;
        this.tokens = tokens;
        this.clock = clock;
    }

    /**
     * Reads the token for every call, so that a revocation holds from the next one on, on every instance.
     *
     * @param authorization the header as received, null if there is none
     * @throws ProblemException 401
     */
    public McpCaller authenticate(String authorization) {
        Optional<TokenSecret> secret = Optional.ofNullable(authorization)
                .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .flatMap(header -> TokenSecret.parse(
                        KeyKind.MCP, header.substring(BEARER.length()).strip()));
        if (secret.isEmpty()) {
            return new McpCaller(tokens.authenticate(authorization), Optional.empty(), false);
        }
        McpTokenRepository.Known known = repository
                .byHash(secret.get().hash())
                .orElseThrow(() -> Problem.of(ProblemCode.TOKEN_UNKNOWN, "The token does not exist.")
                        .asException());
        McpToken token = known.token();
        if (token.revokedAt().isPresent() || known.parentRevoked().isPresent()) {
            throw Problem.of(ProblemCode.TOKEN_REVOKED, "This token, or the one that it belongs to, was revoked.")
                    .asException();
        }
        Instant now = clock.instant();
        if (!now.isBefore(token.expiresAt())
                || known.parentExpires().filter(end -> !now.isBefore(end)).isPresent()) {
            throw Problem.of(ProblemCode.TOKEN_EXPIRED, "This token, or the one that it belongs to, has expired.")
                    .withHint("Create another with POST /v1/tokens/mcp.")
                    .asException();
        }
        Set<Permission> permissions = token.permissions().stream()
                .filter(permission -> known.parent().contains(permission.wire()))
                .collect(Collectors.toUnmodifiableSet());
        return new McpCaller(
                new Principal(token.id(), token.organization(), permissions), token.project(), token.readOnly());
    }
}
