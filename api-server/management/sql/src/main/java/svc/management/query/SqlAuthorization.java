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
import svc.management.audit.Actor;
import svc.management.audit.CallResult.Kind;
import svc.management.audit.SqlCall;
import svc.management.problem.ProjectPaused;
import svc.management.ratelimit.RateHeaders;
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

/** Authorizes callers that run SQL in a project, and counts their calls, before the SQL is parsed. */
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
     * The project with this ref, for a token of its organisation.
     *
     * @throws ProblemException 404, or 409 for one that is paused
     */
    public Tenant tenant(Principal principal, String ref) {
        return running(find(principal, ref))
                .orElseThrow(() -> Problem.of(
                                ProblemCode.PROJECT_NOT_FOUND,
                                "The project " + ref + " does not exist or cannot run SQL yet.")
                        .withHint("Check with GET /v1/projects/{ref} whether it exists and is Ready.")
                        .asException());
    }

    /**
     * Authorizes a token that may run SQL; denied calls are audited.
     *
     * @param sql empty if the body has none
     * @throws ProblemException 403 or 404
     */
    public AuthorizedCall byToken(Principal principal, String ref, String sql, RoutingContext context) {
        return byToken(principal, ref, sql, origin(context));
    }

    /** The same for a call that came in another way than by a request of HTTP. */
    public AuthorizedCall byToken(Principal principal, String ref, String sql, CallOrigin context) {
        var actor = new Actor.Token(principal.tokenId());
        try {
            principal.require(Permission.DATABASE_QUERY);
        } catch (ProblemException e) {
            find(principal, ref)
                    .ifPresent(found -> calls.rejected(call(found, actor, sql, context), Kind.DENIED, e.problem()));
            throw e;
        }
        Tenant tenant = tenant(principal, ref);
        return new AuthorizedCall(tenant, call(tenant, actor, sql, context), context.gone());
    }

    /**
     * Authorizes the project's service-role key, or a token that may run SQL, from the header Authorization.
     *
     * @throws ProblemException 401, 403 or 404
     */
    public AuthorizedCall byServiceKeyOrToken(String ref, String sql, RoutingContext context) {
        String authorization = context.request().getHeader(HttpHeaders.AUTHORIZATION);
        Optional<String> key = serviceKey(authorization);
        if (key.isEmpty()) {
            return byToken(tokens.authenticate(authorization), ref, sql, context);
        }
        // The same answer for an invalid key and an unknown project: a key must not reveal which refs exist.
        AuthorizedCall call = known(ref)
                .flatMap(tenant -> byKey(tenant, key.get(), sql, context))
                .orElseThrow(() -> Problem.of(
                                ProblemCode.SERVICE_KEY_INVALID, "The service-role key is invalid for this project.")
                        .asException());
        running(Optional.of(call.tenant()));
        return call;
    }

    /**
     * Counts the call against a rate limit of its project and writes what is left of it into the answer's headers.
     *
     * @throws ProblemException 429 if the limit is exceeded
     */
    public void count(AuthorizedCall authorized, SqlBudget budget, RoutingContext context) {
        RateDecision decision = calls.count(authorized.tenant(), budget);
        RateHeaders.write(context, decision);
        if (!decision.allowed()) {
            throw calls.rejected(authorized.call(), Kind.THROTTLED, SqlProblems.throttled(decision, budget))
                    .asException();
        }
    }

    private Optional<Tenant> find(Principal principal, String ref) {
        return known(ref).filter(found -> found.organization().equals(principal.organization()));
    }

    private Optional<Tenant> known(String ref) {
        return tenants.find(ref).or(() -> tenants.suspended(ref));
    }

    private Optional<Tenant> running(Optional<Tenant> found) {
        found.filter(tenant -> tenants.suspended(tenant.ref()).isPresent()).ifPresent(tenant -> {
            throw tenants.quarantined(tenant.ref())
                    ? ProjectPaused.quarantined(tenant.ref())
                    : ProjectPaused.of(tenant.ref());
        });
        return found;
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
                        call(tenant, new Actor.ServiceRole(version.getAsInt()), sql, origin(context)),
                        CallerConnection.goneFrom(context)));
    }

    private CallOrigin origin(RoutingContext context) {
        return new CallOrigin(
                RequestId.of(context),
                addresses.of(
                        Optional.ofNullable(context.request().remoteAddress()).map(SocketAddress::hostAddress),
                        context.request().headers().getAll(FORWARDED_FOR)),
                CallerConnection.goneFrom(context));
    }

    private static SqlCall call(Tenant tenant, Actor actor, String sql, CallOrigin origin) {
        return new SqlCall(
                tenant.projectId(),
                tenant.ref(),
                tenant.organization(),
                actor,
                origin.requestId(),
                origin.address(),
                sql,
                Optional.empty());
    }

    private static Optional<String> serviceKey(String authorization) {
        return Optional.ofNullable(authorization)
                .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(header -> header.substring(BEARER.length()).strip())
                .filter(text -> KeyKind.of(text).filter(KeyKind.SERVICE::equals).isPresent());
    }
}
