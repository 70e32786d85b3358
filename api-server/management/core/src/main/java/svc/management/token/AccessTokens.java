package svc.management.token;

import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import svc.management.problem.DisplayName;
import svc.platform.config.ApiConfig;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.Statements;

/**
 * Creates and changes tokens on behalf of an authorized principal. A token is read for every call and never cached, so
 * that a change is effective from the next call on, on every instance.
 */
@ApplicationScoped
public class AccessTokens {
    /** PostgreSQL rejects some years that Java accepts. */
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    /** In characters. */
    private static final int MAX_NAME_LENGTH = 100;

    private static final Set<Permission> FOR_CI =
            EnumSet.of(Permission.DATABASE_QUERY, Permission.PROJECTS_CREATE, Permission.EDGE_FUNCTIONS);

    private final TokenRepository repository;
    private final Clock clock;
    private final ApiConfig.Tokens config;
    private final SecureRandom random = new SecureRandom();

    AccessTokens(TokenRepository repository, Clock clock, ApiConfig config) {
        this.repository = repository;
        this.clock = clock;
        this.config = config.tokens();
    }

    /** A new token with its secret, which is returned only once. */
    public record Created(AccessToken token, TokenSecret secret) {}

    Created create(Principal by, String name, Set<Permission> permissions, Optional<Instant> expiresAt) {
        by.require(Permission.TOKENS_MANAGE);
        permissions.forEach(permission -> requireGrantable(by, permission));
        Created created = first(by.organization(), name, permissions, expiresAt);
        repository.insert(created.token(), created.secret(), Optional.of(by.tokenId()));
        return created;
    }

    /** A new token that is not stored yet. */
    public Created first(String organization, String name, Set<Permission> permissions, Optional<Instant> expiresAt) {
        return of(TokenSecret.generate(random), organization, name, permissions, expiresAt);
    }

    /** Stores a token that {@link #first} created, in the caller's transaction. */
    public void store(Statements statements, Created created, Principal by) {
        repository.insert(statements, created.token(), created.secret(), Optional.of(by.tokenId()));
    }

    Created of(
            TokenSecret secret,
            String organization,
            String name,
            Set<Permission> permissions,
            Optional<Instant> expiresAt) {
        AccessToken token = new AccessToken(
                UUID.randomUUID(),
                organization,
                DisplayName.checked("The token's", name, MAX_NAME_LENGTH),
                secret.hint(),
                permissions,
                now(),
                expiresAt.map(this::checkedEnd),
                Optional.empty());
        return new Created(token, secret);
    }

    public List<AccessToken> list(Principal by) {
        by.require(Permission.TOKENS_MANAGE);
        return repository.ofOrganization(by.organization());
    }

    AccessToken get(Principal by, UUID id) {
        // Every token may read itself.
        if (!by.tokenId().equals(id)) {
            by.require(Permission.TOKENS_MANAGE);
        }
        return repository.find(by.organization(), id).orElseThrow(() -> notFound(id));
    }

    /** @param permissions the ones to change; the others keep their value */
    AccessToken change(
            Principal by,
            UUID id,
            Optional<String> name,
            Map<Permission, Boolean> permissions,
            Optional<Instant> expiresAt) {
        permissions.forEach((permission, on) -> {
            if (on) {
                requireGrantable(by, permission);
            }
        });
        return change(
                by,
                id,
                token -> with(token, name.orElse(token.name()), changed(token.permissions(), permissions), expiresAt));
    }

    /** All three permissions of SPEC 2.2 and an expiry, in one step; an existing expiry can only be shortened. */
    AccessToken prepareForCi(Principal by, UUID id, Optional<Instant> expiresAt) {
        return change(by, id, token -> {
            Set<Permission> all = EnumSet.copyOf(FOR_CI);
            all.addAll(token.permissions());
            Instant wanted = expiresAt.orElseGet(() -> now().plus(config.ciLifetime()));
            Instant end = token.expiresAt().filter(own -> own.isBefore(wanted)).orElse(wanted);
            return with(token, token.name(), all, Optional.of(end));
        });
    }

    AccessToken revoke(Principal by, UUID id) {
        by.require(Permission.TOKENS_MANAGE);
        return repository
                .change(
                        by.organization(),
                        id,
                        token -> token.revokedAt().isPresent()
                                ? token
                                : new AccessToken(
                                        token.id(),
                                        token.organization(),
                                        token.name(),
                                        token.hint(),
                                        token.permissions(),
                                        token.createdAt(),
                                        token.expiresAt(),
                                        Optional.of(now())))
                .orElseThrow(() -> notFound(id));
    }

    private AccessToken change(Principal by, UUID id, TokenRepository.TokenChange change) {
        by.require(Permission.TOKENS_MANAGE);
        return repository
                .change(by.organization(), id, token -> {
                    if (token.revokedAt().isPresent()) {
                        throw Problem.of(
                                        ProblemCode.TOKEN_NOT_ACTIVE,
                                        "The token is revoked, which is final. Create a new token.")
                                .asException();
                    }
                    return change.apply(token);
                })
                .orElseThrow(() -> notFound(id));
    }

    private AccessToken with(AccessToken token, String name, Set<Permission> permissions, Optional<Instant> expiresAt) {
        return new AccessToken(
                token.id(),
                token.organization(),
                DisplayName.checked("The token's", name, MAX_NAME_LENGTH),
                token.hint(),
                permissions,
                token.createdAt(),
                expiresAt.map(this::checkedEnd).or(token::expiresAt),
                token.revokedAt());
    }

    private static Set<Permission> changed(Set<Permission> before, Map<Permission, Boolean> changes) {
        Set<Permission> after = EnumSet.noneOf(Permission.class);
        after.addAll(before);
        changes.forEach((permission, on) -> {
            if (on) {
                after.add(permission);
            } else {
                after.remove(permission);
            }
        });
        return after;
    }

    /**
     * A token manager may grant every permission within its organisation; permissions beyond it only if it has them.
     */
    private static void requireGrantable(Principal by, Permission permission) {
        if (permission == Permission.ORGANIZATIONS_CREATE) {
            by.require(permission);
        }
    }

    private Instant checkedEnd(Instant end) {
        if (!end.isAfter(now()) || end.isAfter(LAST)) {
            throw Problem.of(
                            ProblemCode.INVALID_BODY,
                            "expires_at must be in the future, in the year 9999 at the latest.")
                    .withError("/expires_at", "must be in the future, in the year 9999 at the latest")
                    .asException();
        }
        return end.truncatedTo(ChronoUnit.MICROS);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    private static ProblemException notFound(UUID id) {
        return Problem.of(ProblemCode.TOKEN_NOT_FOUND, "The organisation has no token " + id + ".")
                .asException();
    }
}
