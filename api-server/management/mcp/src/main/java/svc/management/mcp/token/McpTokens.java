package svc.management.mcp.token;

import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import svc.database.key.KeyKind;
import svc.database.name.SupabaseRef;
import svc.management.problem.DisplayName;
import svc.management.project.Projects;
import svc.management.token.Permission;
import svc.management.token.Principal;
import svc.management.token.TokenSecret;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** Creates, lists and revokes tokens of MCP clients on behalf of a personal access token. */
@ApplicationScoped
class McpTokens {
    /** What tools need; tokens and organisations are managed by personal access tokens alone. */
    private static final Set<Permission> GRANTABLE =
            EnumSet.of(Permission.DATABASE_QUERY, Permission.PROJECTS_CREATE, Permission.EDGE_FUNCTIONS);

    private static final Duration LIFETIME = Duration.ofDays(30);
    private static final Duration MAX_LIFETIME = Duration.ofDays(366);

    /** How long a token that is over stays in the list. */
    private static final Duration KEPT = Duration.ofDays(30);

    /** Valid ones of one personal access token. */
    private static final int MAX_ACTIVE = 100;

    private static final int MAX_NAME_LENGTH = 100;

    private final McpTokenRepository repository;
    private final Projects projects;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    McpTokens(McpTokenRepository repository, Projects projects, Clock clock) {
        this.repository = repository;
        this.projects = projects;
        this.clock = clock;
    }

    record Created(McpToken token, TokenSecret secret) {}

    /**
     * @param permissions by choice; empty for all that the caller's token has
     * @param project its ref, in either spelling
     */
    Created create(
            Principal by,
            String name,
            Optional<Map<Permission, Boolean>> permissions,
            Optional<String> project,
            boolean readOnly,
            Optional<Instant> expiresAt) {
        Set<Permission> granted = granted(by, permissions);
        Optional<String> ref = project.map(text -> SupabaseRef.ref(text).orElse(text));
        ref.ifPresent(known -> projects.get(by, known));
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        Instant end = expiresAt.map(given -> checkedEnd(given, now)).orElse(now.plus(LIFETIME));
        repository.prune(by.tokenId(), now.minus(KEPT));
        if (repository.active(by.tokenId(), now) >= MAX_ACTIVE) {
            throw Problem.of(
                            ProblemCode.MCP_TOKEN_LIMIT_REACHED,
                            "The token has " + MAX_ACTIVE + " valid MCP tokens, which is the limit.")
                    .withHint("Revoke one with DELETE /v1/tokens/mcp/{id}.")
                    .asException();
        }
        TokenSecret secret = TokenSecret.generate(KeyKind.MCP, random);
        var token = new McpToken(
                UUID.randomUUID(),
                by.organization(),
                DisplayName.checked("The token's", name, MAX_NAME_LENGTH),
                secret.hint(),
                granted,
                ref,
                readOnly,
                by.tokenId(),
                now,
                end,
                Optional.empty());
        repository.insert(token, secret);
        return new Created(token, secret);
    }

    private static Set<Permission> granted(Principal by, Optional<Map<Permission, Boolean>> permissions) {
        Set<Permission> granted = EnumSet.noneOf(Permission.class);
        if (permissions.isEmpty()) {
            GRANTABLE.stream().filter(by::may).forEach(granted::add);
            return granted;
        }
        permissions.get().forEach((permission, on) -> {
            if (on && !GRANTABLE.contains(permission)) {
                throw Problem.of(
                                ProblemCode.INVALID_BODY,
                                "An MCP token cannot have the permission " + permission.wire() + ".")
                        .withError("/permissions/" + permission.wire(), "is not for MCP tokens")
                        .asException();
            }
            if (on) {
                by.require(permission);
                granted.add(permission);
            }
        });
        return granted;
    }

    private static Instant checkedEnd(Instant end, Instant now) {
        if (!end.isAfter(now) || end.isAfter(now.plus(MAX_LIFETIME))) {
            String rule = "must be in the future, within " + MAX_LIFETIME.toDays() + " days";
            throw Problem.of(ProblemCode.INVALID_BODY, "The field /expires_at " + rule + ".")
                    .withError("/expires_at", rule)
                    .asException();
        }
        return end.truncatedTo(ChronoUnit.MICROS);
    }

    /** The caller's own; those of the whole organisation for one that manages tokens. */
    List<McpToken> list(Principal by) {
        return repository.list(by.organization(), by.tokenId(), by.may(Permission.TOKENS_MANAGE));
    }

    McpToken revoke(Principal by, UUID id) {
        return repository
                .revoke(
                        by.organization(),
                        id,
                        by.tokenId(),
                        by.may(Permission.TOKENS_MANAGE),
                        clock.instant().truncatedTo(ChronoUnit.MICROS))
                .orElseThrow(McpTokens::unknown);
    }

    static ProblemException unknown() {
        return Problem.of(ProblemCode.TOKEN_NOT_FOUND, "There is no MCP token with this id.")
                .withHint("GET /v1/tokens/mcp lists those that this token may see.")
                .asException();
    }
}
