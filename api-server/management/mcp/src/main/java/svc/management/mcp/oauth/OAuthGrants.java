package svc.management.mcp.oauth;

import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jboss.logging.Logger;
import svc.database.key.KeyKind;
import svc.management.audit.CallAudit;
import svc.management.mcp.oauth.OAuthGrantRepository.Use;
import svc.management.project.Projects;
import svc.management.token.Permission;
import svc.management.token.Principal;
import svc.management.token.TokenSecret;

/**
 * Grants, and the tokens that clients get for them. A code and a refresh token work once: a second use means that someone else
 * has them too, and ends the grant with all of its tokens (OAuth 2.1 sections 4.1.3 and 4.3.1).
 */
@ApplicationScoped
class OAuthGrants {
    static final Duration CODE_LIFETIME = Duration.ofMinutes(1);
    static final Duration ACCESS_LIFETIME = Duration.ofHours(1);

    /** After it a person has to allow the client again. */
    static final Duration GRANT_LIFETIME = Duration.ofDays(90);

    /** How long a used refresh token is recognised. */
    private static final Duration REUSE_KNOWN = Duration.ofDays(7);

    private static final Duration KEPT = Duration.ofDays(1);

    /** Of one personal access token. */
    private static final int MAX_ACTIVE = 50;

    private static final String REFRESH_PREFIX = "svc_mcr_";
    private static final int SECRET_BYTES = 32;
    private static final Logger LOG = Logger.getLogger(OAuthGrants.class);

    /** What tools need. */
    private static final Set<Permission> GRANTABLE =
            EnumSet.of(Permission.DATABASE_QUERY, Permission.PROJECTS_CREATE, Permission.EDGE_FUNCTIONS);

    private final OAuthGrantRepository repository;
    private final OAuthClients clients;
    private final Projects projects;
    private final CallAudit audit;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    OAuthGrants(
            OAuthGrantRepository repository, OAuthClients clients, Projects projects, CallAudit audit, Clock clock) {
        this.repository = repository;
        this.clients = clients;
        this.projects = projects;
        this.audit = audit;
        this.clock = clock;
    }

    /** Tokens of a client, shown once. */
    record Issued(String access, String refresh, boolean readOnly) {}

    /**
     * Allows a client on behalf of a person.
     *
     * @param project the only one that it reaches; empty for all of the organisation
     * @return the authorization code
     * @throws OAuthError when the person has allowed too many clients
     * @throws svc.platform.problem.ProblemException for an unknown project
     */
    String allow(Principal by, AuthorizationRequest request, Optional<String> project, boolean readOnly) {
        project.ifPresent(ref -> projects.get(by, ref));
        Instant now = now();
        repository.prune(by.tokenId(), now.minus(KEPT), now.minus(KEPT));
        if (repository.active(by.tokenId(), now) >= MAX_ACTIVE) {
            throw OAuthError.of(
                    OAuthError.INVALID_REQUEST,
                    "This token has allowed " + MAX_ACTIVE + " clients, which is the limit. Revoke one first.");
        }
        Set<Permission> permissions = EnumSet.noneOf(Permission.class);
        GRANTABLE.stream().filter(by::may).forEach(permissions::add);
        String code = secret();
        var grant = new OAuthGrant(
                UUID.randomUUID(),
                request.client().id(),
                request.client().name(),
                by.organization(),
                List.of(),
                project,
                readOnly,
                by.tokenId(),
                true,
                now.plus(CODE_LIFETIME),
                request.redirect().text(),
                request.challenge());
        clients.used(request.client());
        repository.insert(grant, permissions, OAuthGrant.sha256(code), now, now.plus(GRANT_LIFETIME));
        record("allow", grant);
        return code;
    }

    /** @throws OAuthError {@code invalid_grant} unless the code is unused, of this client and address, and proven */
    Issued exchange(String clientId, String code, String redirectUri, String verifier) {
        Instant now = now();
        OAuthGrant grant = first(repository.useCode(OAuthGrant.sha256(code), now), clientId, now);
        if (!now.isBefore(grant.codeExpiresAt())
                || !grant.redirectUri().equals(redirectUri)
                || !grant.isProvenBy(verifier)) {
            throw refused();
        }
        return issued(grant, now);
    }

    /** @throws OAuthError {@code invalid_grant} unless the token is unused and of this client */
    Issued refresh(String clientId, String token) {
        Instant now = now();
        return issued(first(repository.useRefresh(OAuthGrant.sha256(token), now), clientId, now), now);
    }

    private OAuthGrant first(Optional<Use> use, String clientId, Instant now) {
        Use found = use.orElseThrow(OAuthGrants::refused);
        if (!found.first() || !found.grant().isOf(clientId)) {
            revoke(found.grant(), now);
            LOG.warnf(
                    "a code or refresh token of the MCP client %s was used %s: its grant is revoked",
                    found.grant().client(), found.first() ? "by another client" : "twice");
            throw refused();
        }
        if (!found.grant().active()) {
            throw refused();
        }
        return found.grant();
    }

    private Issued issued(OAuthGrant grant, Instant now) {
        TokenSecret access = TokenSecret.generate(KeyKind.MCP, random);
        String refresh = REFRESH_PREFIX + secret();
        boolean issued = repository.issue(
                grant, access, now.plus(ACCESS_LIFETIME), OAuthGrant.sha256(refresh), now, now.minus(REUSE_KNOWN));
        if (!issued) {
            throw refused();
        }
        record("create token of", grant);
        return new Issued(access.reveal(), refresh, grant.readOnly());
    }

    /** Ends the grant of an access or refresh token; does nothing for another client's or an unknown one (RFC 7009). */
    void revoke(String clientId, String token) {
        Instant now = now();
        repository
                .ofToken(OAuthGrant.sha256(token), now)
                .filter(grant -> grant.isOf(clientId))
                .ifPresent(grant -> revoke(grant, now));
    }

    private void revoke(OAuthGrant grant, Instant now) {
        if (repository.revoke(grant.id(), now)) {
            record("revoke", grant);
        }
    }

    /** In the name of the personal access token, whose rights the client uses. */
    private void record(String what, OAuthGrant grant) {
        var by = new CallAudit.Caller(grant.createdBy(), grant.organization());
        audit.done(by, Optional.empty(), what + " MCP client " + grant.client());
    }

    private String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    /** The same for every reason: a thief learns nothing. */
    private static OAuthError refused() {
        return OAuthError.of(
                OAuthError.INVALID_GRANT,
                "The code or refresh token is unknown, used, over, of another client or address, or not proven.");
    }
}
