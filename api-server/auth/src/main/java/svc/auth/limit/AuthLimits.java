package svc.auth.limit;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.mutiny.redis.client.RedisAPI;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.CallContext;
import svc.crds.project.auth.RateLimitsSpec;
import svc.platform.ratelimit.RateDecision;
import svc.platform.ratelimit.RateLimit;
import svc.platform.ratelimit.RateLimit.Rule;
import svc.platform.tenancy.Tenant;

/**
 * Rate limits per caller address (in IPv6 its /64), account, factor and project. Calls with the project's service-role key are not counted per
 * address: all users of the project's own servers come from it.
 *
 * <p>Passwords have three limits. Per address, against trying many accounts. Per account and address, against trying many
 * passwords. Per account alone, more slowly, against a distributed attack; because that one would let any stranger lock a
 * user out, it applies only to addresses from which the account has never signed in. A user who is locked out of a new place
 * during an attack can use a magic link, a code, recovery, and existing sessions.
 */
public final class AuthLimits {
    private static final Duration HOUR = Duration.ofHours(1);

    /** Enough for a user who has forgotten the password, too few to guess one. */
    private static final Rule PASSWORDS = new Rule("auth-sign-in", 30, Duration.ofMinutes(5));

    private static final Rule STRANGERS = new Rule("auth-strangers", 100, HOUR);

    /** Three codes of a million are valid at a time: at this rate an attacker with the password needs five months for even odds. */
    private static final Rule FACTORS = new Rule("auth-factor", 10, Duration.ofMinutes(10));

    /** Codes by mail are short: only this limit keeps them from being guessed. */
    private static final Rule CODES = new Rule("auth-code", 10, Duration.ofMinutes(5));

    private static final Rule ADDRESSES =
            new Rule("auth-address", RateLimitsSpec.defaults().signUpsPerHour(), HOUR);
    private static final Rule ANONYMOUS =
            new Rule("auth-anonymous", RateLimitsSpec.defaults().anonymousPerHour(), HOUR);
    private static final Rule VERIFICATIONS =
            new Rule("auth-verification", RateLimitsSpec.defaults().verificationsPerHour(), HOUR);
    private static final Rule REFRESHES =
            new Rule("auth-refresh", RateLimitsSpec.defaults().refreshesPerHour(), HOUR);
    private static final Rule MESSAGES =
            new Rule("auth-sms", RateLimitsSpec.defaults().smsPerHour(), HOUR);

    private final RateLimit passwords;
    private final RateLimit strangers;
    private final RateLimit factors;
    private final RateLimit codes;
    private final RateLimit addresses;
    private final RateLimit anonymous;
    private final RateLimit verifications;
    private final RateLimit refreshes;
    private final RateLimit messages;
    private final KnownAddresses known;

    public AuthLimits(RedisAPI redis, Clock clock, MeterRegistry metrics) {
        this.passwords = new RateLimit(redis, PASSWORDS, clock, metrics);
        this.strangers = new RateLimit(redis, STRANGERS, clock, metrics);
        this.factors = new RateLimit(redis, FACTORS, clock, metrics);
        this.codes = new RateLimit(redis, CODES, clock, metrics);
        this.addresses = new RateLimit(redis, ADDRESSES, clock, metrics);
        this.anonymous = new RateLimit(redis, ANONYMOUS, clock, metrics);
        this.verifications = new RateLimit(redis, VERIFICATIONS, clock, metrics);
        this.refreshes = new RateLimit(redis, REFRESHES, clock, metrics);
        this.messages = new RateLimit(redis, MESSAGES, clock, metrics);
        this.known = new KnownAddresses(redis);
    }

    /**
     * Counts an attempt with a password.
     *
     * @param account normalized address or number
     */
    public void password(CallContext context, String account) {
        signUpOrIn(context);
        UUID project = context.projectId();
        require(passwords.count(project, account + " " + context.network()));
        RateDecision all = strangers.count(project, account);
        if (!all.allowed() && !known.holds(project, account, context.network())) {
            throw AuthError.tooManyRequests(all.resetSeconds());
        }
    }

    /** Remembers the address of a successful sign-in. */
    public void signedIn(CallContext context, String account) {
        known.add(context.projectId(), account, context.network());
    }

    /** Counts a sign-up, or a sign-in of any kind. */
    public void signUpOrIn(CallContext context) {
        perAddress(addresses, context, context.tenant().auth().rateLimits().signUpsPerHour());
    }

    public void anonymous(CallContext context) {
        perAddress(anonymous, context, context.tenant().auth().rateLimits().anonymousPerHour());
    }

    /** Counts an attempt with a code or a link. */
    public void verification(CallContext context) {
        perAddress(verifications, context, context.tenant().auth().rateLimits().verificationsPerHour());
    }

    /**
     * Counts an attempt with a code, whatever the caller's address.
     *
     * @param address to which the code was sent
     */
    public void code(CallContext context, String address) {
        require(codes.count(context.projectId(), address));
    }

    /** Counts a refresh. Does not block; fails as the others throw. */
    public CompletableFuture<Void> refresh(CallContext context) {
        if (context.isService()) {
            return CompletableFuture.completedFuture(null);
        }
        int perHour = context.tenant().auth().rateLimits().refreshesPerHour();
        return refreshes
                .countSoon(context.projectId(), context.network(), perHour)
                .thenAccept(AuthLimits::require);
    }

    /** Counts a code of a second factor, whatever the caller's address: the caller has the password already. */
    public void factor(CallContext context, UUID factor) {
        require(factors.count(context.projectId(), factor.toString()));
    }

    /** Counts an SMS. */
    public void message(Tenant tenant) {
        RateDecision decision = messages.count(
                tenant.projectId(), "", tenant.auth().rateLimits().smsPerHour());
        if (!decision.allowed()) {
            throw AuthErrorCode.OVER_SMS_SEND_RATE_LIMIT.error(
                    "SMS rate limit exceeded: try again in " + decision.resetSeconds() + " seconds");
        }
    }

    private static void perAddress(RateLimit limit, CallContext context, int perHour) {
        if (!context.isService()) {
            require(limit.count(context.projectId(), context.network(), perHour));
        }
    }

    private static void require(RateDecision decision) {
        if (!decision.allowed()) {
            throw AuthError.tooManyRequests(decision.resetSeconds());
        }
    }
}
