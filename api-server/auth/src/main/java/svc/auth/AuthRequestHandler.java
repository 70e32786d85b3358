package svc.auth;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import svc.auth.admin.AdminLinks;
import svc.auth.admin.AdminUsers;
import svc.auth.captcha.Captcha;
import svc.auth.external.ExternalProviders;
import svc.auth.flow.FlowStates;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthRoutes;
import svc.auth.http.AuthRoutes.Endpoint;
import svc.auth.limit.AuthLimits;
import svc.auth.mail.Mailer;
import svc.auth.mfa.FactorChallenges;
import svc.auth.mfa.FactorEnrollment;
import svc.auth.otp.MailSignIn;
import svc.auth.otp.OneTimeChecks;
import svc.auth.otp.OneTimeMails;
import svc.auth.otp.PhoneSignIn;
import svc.auth.otp.Resend;
import svc.auth.otp.Verification;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.phone.PhoneMessages;
import svc.auth.provider.Providers;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.SqlErrorMapping;
import svc.auth.secret.FactorSecrets;
import svc.auth.session.Bearer;
import svc.auth.session.SessionGrant;
import svc.auth.signin.RefreshGrant;
import svc.auth.signin.TokenGrants;
import svc.auth.signup.SignUp;
import svc.auth.token.ProjectTokens;
import svc.auth.user.CurrentUser;
import svc.auth.user.Reauthentication;
import svc.platform.clientip.CallerAddress;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.dataplane.DataPlaneService;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.postgres.flush.TenantTransactions;

/** {@code /auth/v1}: which call is which, and what a failure is answered with. */
public final class AuthRequestHandler implements DataPlaneService {
    /** Clients that send it get errors in the newer encoding. */
    private static final String API_VERSION_HEADER = "X-Supabase-Api-Version";

    private static final String API_VERSION = "2024-01-01";

    /** Read in a fraction of a millisecond. */
    private static final int BRIEF_BODY_BYTES = 16 * 1024;

    private final CallerAddress addresses;
    private final AuthRoutes routes;

    public AuthRequestHandler(
            TenantTransactions database,
            ProjectTokens tokens,
            PasswordHashes hashes,
            FactorSecrets factorSecrets,
            AuthLimits limits,
            AuthHooks hooks,
            Providers providers,
            PasswordRules rules,
            Captcha captcha,
            Mailer mailer,
            CallerAddress addresses,
            Clock clock) {
        this.addresses = addresses;
        var transactions = new AuthTransactions(database);
        var grant = new SessionGrant(tokens, hooks, clock);
        var flows = new FlowStates(clock);
        var redirects = new RedirectTargets();
        var mails = new OneTimeMails(mailer, tokens, flows, redirects, clock);
        var checks = new OneTimeChecks(tokens, limits, clock);
        var messages = new PhoneMessages(hooks, limits, clock);
        var phones = new PhoneSignIn(transactions, grant, tokens, checks, messages, hooks, limits, clock);
        var signUp = new SignUp(transactions, hashes, rules, grant, mails, phones, hooks, limits, clock);
        var others = new ExternalProviders(transactions, grant, mails, hooks, providers, flows, redirects, clock);
        var refresh = new RefreshGrant(transactions, grant, tokens, limits, clock);
        var otherGrants = new HashMap<>(others.grants());
        otherGrants.put("web3", UnsupportedEndpoints.web3());
        var grants = new TokenGrants(
                transactions, hashes, rules, grant, limits, captcha, hooks, clock, refresh, otherGrants);
        var reauthentication = new Reauthentication(transactions, mails, checks, tokens, clock);
        var own = new CurrentUser(transactions, hashes, rules, mails, phones, checks, reauthentication, clock);
        var mailSignIn = new MailSignIn(transactions, mails, hooks, limits, clock);
        var resend = new Resend(transactions, mails, limits);
        var verification = new Verification(transactions, grant, checks, flows, redirects, clock);
        var adminLinks = new AdminLinks(transactions, mails, hashes, rules, clock);
        var admin = new AdminUsers(transactions, hashes, rules, clock);
        var factors = new FactorEnrollment(transactions, factorSecrets, clock);
        var challenges = new FactorChallenges(transactions, factorSecrets, messages, grant, hooks, limits, clock);
        var discovery = new Discovery(tokens);
        this.routes = UnsupportedEndpoints.on(others.on(new AuthRoutes()))
                .on("GET", "/.well-known/openid-configuration", Discovery::openId)
                .on("GET", "/.well-known/oauth-authorization-server", Discovery::authorizationServer)
                .on("GET", "/health", request -> Discovery.health())
                .on("GET", "/settings", Discovery::settings)
                .on("GET", "/.well-known/jwks.json", discovery::keys)
                .on("POST", "/signup", captcha.before(signUp::answer))
                .on("POST", "/token", grants)
                .on("GET", "/user", AuthRoutes.soon(own::get))
                .on("PUT", "/user", own::update)
                .on("POST", "/logout", own::logout)
                .on("POST", "/otp", captcha.before(either(mailSignIn::signIn, phones::signIn)))
                .on("POST", "/magiclink", captcha.before(mailSignIn::signIn))
                .on("POST", "/recover", captcha.before(mailSignIn::recover))
                .on("POST", "/resend", captcha.before(either(resend::answer, phones::resend)))
                .on("GET", "/reauthenticate", reauthentication::send)
                .on("POST", "/verify", either(verification::post, phones::verify))
                .on("GET", "/verify", verification::link)
                .on("HEAD", "/verify", verification::look)
                .on("POST", "/invite", adminLinks::invite)
                .on("POST", "/admin/generate_link", adminLinks::generate)
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

    /** By whether the body names an address or a number; one alone. */
    private static Endpoint either(Endpoint email, Endpoint phone) {
        return request -> {
            if (request.text("phone").isEmpty()) {
                return email.answer(request);
            }
            if (request.text("email").isPresent()) {
                throw AuthError.invalid("Only an email address or phone number should be provided");
            }
            return phone.answer(request);
        };
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
            answer = endpoint(call).answer(call);
        } catch (AuthError | PoolExhausted | SqlError e) {
            answer = refused(e, call);
        }
        send(request, answer);
    }

    /** On the event loop, what clients ask for again and again. */
    @Override
    public Optional<CompletionStage<Void>> begin(DataPlaneRequest request) {
        if (request.body().length() > BRIEF_BODY_BYTES) {
            return Optional.empty();
        }
        var call = new AuthRequest(request, addresses);
        Optional<CompletableFuture<AuthAnswer>> begun;
        try {
            begun = endpoint(call).begin(call);
        } catch (AuthError | PoolExhausted | SqlError e) {
            begun = Optional.of(CompletableFuture.failedFuture(e));
        }
        return begun.map(answer -> answer.exceptionally(thrown -> refused(AuthTransactions.cause(thrown), call))
                .thenAccept(given -> send(request, given)));
    }

    private static void send(DataPlaneRequest request, AuthAnswer answer) {
        HttpServerResponse response = request.response();
        if (response.closed()) {
            return;
        }
        response.setStatusCode(answer.status());
        answer.headers().forEach(response::putHeader);
        if (answer.body().isEmpty()) {
            response.end();
        } else {
            response.putHeader("Content-Type", "application/json");
            response.end(Buffer.buffer(answer.body().get().toString()));
        }
    }

    private Endpoint endpoint(AuthRequest call) {
        if (!call.tenant().auth().enabled()) {
            throw AuthErrorCode.AUTH_DISABLED.error();
        }
        if (call.tenant().adoption().isPresent()) {
            throw AuthErrorCode.ADOPTED_DATABASE.error();
        }
        call.requireFitting();
        if (call.path().startsWith("/admin/")) {
            Bearer.requireAdmin(call);
        }
        return routes.of(call);
    }

    /** Whatever a caller did wrong, or PostgreSQL refused, is an answer too; the rest is a fault of ours. */
    private static AuthAnswer refused(Throwable why, AuthRequest call) {
        return switch (why) {
            case AuthError e -> failed(e, call);
            case PoolExhausted e -> failed(SqlErrorMapping.of(e), call);
            case SqlError e -> failed(SqlErrorMapping.of(e, call.tenant()), call);
            default -> throw new CompletionException(why);
        };
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
        error.oauth().ifPresent(word -> body.put("error", word).put("error_description", error.getMessage()));
        AuthAnswer answer =
                new AuthAnswer(error.status(), Map.of(), Optional.of(body)).with("x-sb-error-code", error.code());
        if (error.retryAfter().isPresent()) {
            answer = answer.with("Retry-After", Long.toString(error.retryAfter().getAsLong()));
        }
        return newer ? answer.with(API_VERSION_HEADER, API_VERSION) : answer;
    }
}
