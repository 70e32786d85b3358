package svc.api.auth;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import svc.api.auth.captcha.Captcha;
import svc.api.auth.flow.FlowStates;
import svc.api.auth.hook.AuthHooks;
import svc.api.auth.http.AuthAnswer;
import svc.api.auth.http.AuthError;
import svc.api.auth.http.AuthRequest;
import svc.api.auth.http.AuthRoutes;
import svc.api.auth.http.AuthRoutes.Endpoint;
import svc.api.auth.limit.AuthLimits;
import svc.api.auth.password.PasswordHashes;
import svc.api.auth.password.PasswordRules;
import svc.api.auth.phone.PhoneMessages;
import svc.api.auth.secret.FactorSecrets;
import svc.api.auth.token.ProjectTokens;
import svc.api.db.PoolExhausted;
import svc.api.db.SqlError;
import svc.api.db.TenantTransactions;
import svc.api.gateway.DataPlaneRequest;
import svc.api.gateway.DataPlaneService;
import svc.api.proxy.CallerAddress;

/** {@code /auth/v1}: which call is which, and what a failure is answered with. */
public final class AuthRequestHandler implements DataPlaneService {
    private static final Logger LOG = Logger.getLogger(AuthRequestHandler.class);

    /** Clients that send it get errors in the newer encoding. */
    private static final String API_VERSION_HEADER = "X-Supabase-Api-Version";

    private static final String API_VERSION = "2024-01-01";

    private final CallerAddress addresses;
    private final AuthRoutes routes;

    public AuthRequestHandler(
            TenantTransactions database,
            ProjectTokens tokens,
            PasswordHashes hashes,
            FactorSecrets factorSecrets,
            AuthLimits limits,
            AuthHooks hooks,
            PasswordRules rules,
            Captcha captcha,
            CallerAddress addresses,
            Clock clock) {
        this.addresses = addresses;
        var transactions = new AuthTransactions(database);
        var grant = new SessionGrant(tokens, hooks, clock);
        var signUp = new SignUp(transactions, hashes, rules, grant, hooks, limits, clock);
        var pkce = new PkceGrant(transactions, grant, new FlowStates(clock), clock);
        var grants = new TokenGrants(
                transactions,
                hashes,
                rules,
                grant,
                tokens,
                limits,
                captcha,
                hooks,
                clock,
                Map.of("pkce", pkce::answer));
        var own = new OwnUser(transactions, hashes, rules, clock);
        var admin = new AdminUsers(transactions, hashes, rules, clock);
        var factors = new Factors(transactions, factorSecrets, clock);
        var messages = new PhoneMessages(hooks, limits, clock);
        var challenges = new FactorChallenges(transactions, factorSecrets, messages, grant, hooks, limits, clock);
        var discovery = new Discovery(tokens);
        Endpoint mail = request -> {
            throw Mail.none();
        };
        this.routes = new AuthRoutes()
                .on("GET", "/health", request -> Discovery.health())
                .on("GET", "/settings", Discovery::settings)
                .on("GET", "/.well-known/jwks.json", discovery::keys)
                .on("POST", "/signup", captcha.before(signUp::answer))
                .on("POST", "/token", grants::answer)
                .on("GET", "/user", own::get)
                .on("PUT", "/user", own::update)
                .on("POST", "/logout", own::logout)
                .on("POST", "/otp", captcha.before(mail))
                .on("POST", "/magiclink", captcha.before(mail))
                .on("POST", "/recover", captcha.before(mail))
                .on("POST", "/resend", captcha.before(mail))
                .on("GET", "/reauthenticate", mail)
                .on("POST", "/factors", factors::enroll)
                .on("DELETE", "/factors/{id}", factors::unenroll)
                .on("POST", "/factors/{id}/challenge", challenges::challenge)
                .on("POST", "/factors/{id}/verify", challenges::verify)
                .on("GET", "/admin/users/{id}/factors", factors::listOfUser)
                .on("DELETE", "/admin/users/{id}/factors/{factor}", factors::deleteOfUser)
                .on("GET", "/admin/users", admin::list)
                .on("POST", "/admin/users", admin::create)
                .on("GET", "/admin/users/{id}", admin::get)
                .on("PUT", "/admin/users/{id}", admin::update)
                .on("DELETE", "/admin/users/{id}", admin::delete);
    }

    @Override
    public String name() {
        return "auth";
    }

    @Override
    public void handle(DataPlaneRequest request) {
        var call = new AuthRequest(request, addresses);
        AuthAnswer answer;
        try {
            answer = answer(call);
        } catch (AuthError e) {
            answer = failed(e, call);
        } catch (PoolExhausted e) {
            answer = failed(AuthError.unavailable(), call);
        } catch (SqlError e) {
            answer = failed(refused(e, request), call);
        }
        HttpServerResponse response = request.response().setStatusCode(answer.status());
        answer.headers().forEach(response::putHeader);
        if (answer.body().isEmpty()) {
            response.end();
        } else {
            response.putHeader("Content-Type", "application/json");
            response.end(Buffer.buffer(answer.body().get().toString()));
        }
    }

    private AuthAnswer answer(AuthRequest call) {
        if (!call.tenant().auth().enabled()) {
            throw new AuthError(404, "feature_disabled", "The auth service of this project is switched off");
        }
        if (call.tenant().adoption().isPresent()) {
            throw new AuthError(
                    501,
                    "not_implemented",
                    "An adopted database keeps its own users; this platform does not serve them");
        }
        if (call.path().startsWith("/admin/")) {
            Bearer.requireAdmin(call);
        }
        return routes.answer(call);
    }

    /** Our own outage is never a 4xx: clients would drop a session that is fine. */
    private static AuthError refused(SqlError error, DataPlaneRequest request) {
        if (error.infrastructure() || !error.fromServer()) {
            LOG.warnf("%s: auth cannot use the database [%s]", request.tenant().ref(), error.sqlState());
            return AuthError.unavailable();
        }
        if (error.is("23505")
                && error.constraint().filter("users_email_partial_key"::equals).isPresent()) {
            return new AuthError(422, "user_already_exists", "User already registered");
        }
        if (error.is("23505")
                && error.constraint().filter("users_phone_key"::equals).isPresent()) {
            return AuthError.phoneExists();
        }
        if (error.is("23505")
                && error.constraint()
                        .filter("mfa_factors_user_friendly_name_unique"::equals)
                        .isPresent()) {
            return new AuthError(
                    422, "mfa_factor_name_conflict", "A factor with this friendly name for this user already exists");
        }
        if (error.sqlState().startsWith("22")
                || error.constraint().filter("users_pkey"::equals).isPresent()) {
            // A number, a character or an id that the columns do not take.
            return AuthError.invalid(error.getMessage());
        }
        if (error.is("P0001")) {
            // A tenant's trigger refuses: its word is the answer.
            return new AuthError(422, "validation_failed", error.getMessage());
        }
        return new AuthError(
                500, "unexpected_failure", "Database error [" + error.sqlState() + "]: " + error.getMessage());
    }

    private static AuthAnswer failed(AuthError error, AuthRequest call) {
        String version = call.header(API_VERSION_HEADER);
        boolean newer = version != null && version.compareTo(API_VERSION) >= 0;
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        if (newer) {
            body.put("code", error.code()).put("message", error.getMessage());
        } else {
            body.put("code", error.status()).put("error_code", error.code()).put("msg", error.getMessage());
        }
        if (!error.weakness().isEmpty()) {
            var reasons = body.putObject("weak_password").putArray("reasons");
            error.weakness().forEach(reasons::add);
        }
        AuthAnswer answer =
                new AuthAnswer(error.status(), Map.of(), Optional.of(body)).with("x-sb-error-code", error.code());
        return newer ? answer.with(API_VERSION_HEADER, API_VERSION) : answer;
    }
}
