package svc.management.query;

import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import svc.database.key.ApiKey;
import svc.database.key.KeyKind;
import svc.database.key.Purpose;
import svc.management.query.audit.Actor;
import svc.management.query.audit.CallResult.Kind;
import svc.management.query.audit.SqlCall;
import svc.management.token.Permission;
import svc.management.token.Principal;
import svc.management.token.TokenAuthentication;
import svc.platform.clientip.CallerAddress;
import svc.platform.config.PurposeRoots;
import svc.platform.dataplane.RequestId;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.ratelimit.RateDecision;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;

/** Who may run SQL in which project, and how often: what every call passes before its SQL is looked at. */
@ApplicationScoped
public class SqlAuthorization {
    private static final String BEARER = "bearer ";
    private static final String FORWARDED_FOR = "X-Forwarded-For";

    private final SqlCalls calls;
    private final TenantDirectory tenants;
    private final PurposeRoots roots;
    private final TokenAuthentication tokens;
    private final CallerAddress addresses;

    SqlAuthorization(
            SqlCalls calls,
            TenantDirectory tenants,
            PurposeRoots roots,
            TokenAuthentication tokens,
            CallerAddress addresses) {
        this.calls = calls;
        this.tenants = tenants;
        this.roots = roots;
        this.tokens = tokens;
        this.addresses = addresses;
    }

    /**
     * The project of this ref, for a token of its organisation.
     *
     * @throws ProblemException 404
     */
    public Tenant tenant(Principal principal, String ref) {
        return find(principal, ref)
                .orElseThrow(() -> Problem.of(ProblemCode.PROJECT_NOT_FOUND, "No project " + ref + " can run SQL now.")
                        .withHint("GET /v1/projects/{ref} says whether it exists and is Ready.")
                        .asException());
    }

    /**
     * A token that may run SQL; one that may not is written into the audit.
     *
     * @param sql as far as the body has any
     * @throws ProblemException 403 or 404
     */
    public AuthorizedCall byToken(Principal principal, String ref, String sql, RoutingContext context) {
        var actor = new Actor.Token(principal.tokenId());
        try {
            principal.require(Permission.DATABASE_QUERY);
        } catch (ProblemException e) {
            find(principal, ref)
                    .ifPresent(found -> calls.turnedAway(call(found, actor, sql, context), Kind.DENIED, e.problem()));
            throw e;
        }
        Tenant tenant = tenant(principal, ref);
        return new AuthorizedCall(tenant, call(tenant, actor, sql, context), CallerConnection.goneFrom(context));
    }

    /**
     * The project's service-role key, or a token that may run SQL, from the header Authorization.
     *
     * @throws ProblemException 401, 403 or 404
     */
    public AuthorizedCall byServiceKeyOrToken(String ref, String sql, RoutingContext context) {
        String authorization = context.request().getHeader(HttpHeaders.AUTHORIZATION);
        Optional<String> key = serviceKey(authorization);
        if (key.isEmpty()) {
            return byToken(tokens.authenticate(authorization), ref, sql, context);
        }
        // One answer for a wrong key and for a project that does not exist: a key must not find out which refs are in
        // use.
        return tenants.find(ref)
                .flatMap(tenant -> byKey(tenant, key.get(), sql, context))
                .orElseThrow(() -> Problem.of(
                                ProblemCode.SERVICE_KEY_INVALID, "This is not the service-role key of that project.")
                        .asException());
    }

    /**
     * Counts the call against its project and says on the answer how many are left.
     *
     * @throws ProblemException 429 when there are none
     */
    public void count(AuthorizedCall entered, RoutingContext context) {
        RateDecision decision = calls.count(entered.tenant());
        // Set on the connection's own answer, so that problems have them as well.
        context.response().putHeader("RateLimit-Limit", Integer.toString(decision.limit()));
        context.response().putHeader("RateLimit-Remaining", Integer.toString(decision.remaining()));
        context.response().putHeader("RateLimit-Reset", Long.toString(decision.resetSeconds()));
        if (!decision.allowed()) {
            throw calls.turnedAway(entered.call(), Kind.THROTTLED, SqlProblems.throttled(decision))
                    .asException();
        }
    }

    private Optional<Tenant> find(Principal principal, String ref) {
        return tenants.find(ref).filter(found -> found.organization().equals(principal.organization()));
    }

    private Optional<AuthorizedCall> byKey(Tenant tenant, String key, String sql, RoutingContext context) {
        OptionalInt version = ApiKey.matchingVersion(
                key,
                roots.require(Purpose.SERVICE_KEY, tenant.masterKeyVersion()),
                tenant.scope(),
                tenant.keyVersions().getOrDefault(Purpose.SERVICE_KEY, Set.of(1)));
        return version.isEmpty()
                ? Optional.empty()
                : Optional.of(new AuthorizedCall(
                        tenant,
                        call(tenant, new Actor.ServiceRole(version.getAsInt()), sql, context),
                        CallerConnection.goneFrom(context)));
    }

    private SqlCall call(Tenant tenant, Actor actor, String sql, RoutingContext context) {
        return new SqlCall(
                tenant.projectId(),
                tenant.ref(),
                tenant.organization(),
                actor,
                RequestId.of(context),
                addresses.of(
                        Optional.ofNullable(context.request().remoteAddress()).map(SocketAddress::hostAddress),
                        context.request().headers().getAll(FORWARDED_FOR)),
                sql);
    }

    private static Optional<String> serviceKey(String authorization) {
        return Optional.ofNullable(authorization)
                .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(header -> header.substring(BEARER.length()).strip())
                .filter(text -> KeyKind.of(text).filter(KeyKind.SERVICE::equals).isPresent());
    }
}
