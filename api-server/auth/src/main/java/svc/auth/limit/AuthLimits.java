package svc.auth.limit;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.mutiny.redis.client.RedisAPI;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.crds.project.auth.RateLimitsSpec;
import svc.database.name.DatabaseRole;
import svc.platform.ratelimit.RateDecision;
import svc.platform.ratelimit.RateLimit;
import svc.platform.ratelimit.RateLimit.Rule;
import svc.platform.tenancy.Tenant;

/**
 * How often things may be tried, by the address of who tries and by what is tried. The project's own servers, which hold its
 * service-role key, are not counted by their address: all their users come from it.
 *
 * <p>Passwords are counted three times. Per address, so that nobody tries many accounts. Per account and address, so that
 * nobody tries many passwords. And per account alone, more slowly, so that nobody does so from many addresses; but that one
 * alone would let any stranger lock a user out, so it holds only for addresses from which the account was never signed in
 * to. Whoever is locked out of a new place while strangers try has the ways that need no password left: a link by mail, a
 * code, recovery, and the sessions that are there.
 */
public final class AuthLimits {
    private static final Duration HOUR = Duration.ofHours(1);

    /** Enough for a person who forgot which password it was, too few to find one. */
    private static final Rule PASSWORDS = new Rule("auth-sign-in", 30, Duration.ofMinutes(5));

    private static final Rule STRANGERS = new Rule("auth-strangers", 100, HOUR);

    /** Three codes of a million count at a time: who has the password tries for five months for even odds. */
    private static final Rule FACTORS = new Rule("auth-factor", 10, Duration.ofMinutes(10));

    /** Codes by mail are short: how many are tried for one address is what keeps them from being guessed. */
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
     * A try of a password.
     *
     * @param account address or number, as it is kept
     */
    public void password(AuthRequest request, String account) {
        signUpOrIn(request);
        UUID project = request.tenant().projectId();
        require(passwords.count(project, account + " " + request.callerAddress()));
        RateDecision all = strangers.count(project, account);
        if (!all.allowed() && !known.holds(project, account, request.callerAddress())) {
            throw AuthError.tooManyRequests(all.resetSeconds());
        }
    }

    /** The password was the account's: its user knows the address. */
    public void signedIn(AuthRequest request, String account) {
        known.add(request.tenant().projectId(), account, request.callerAddress());
    }

    /** A sign-up, or a sign-in of whatever kind. */
    public void signUpOrIn(AuthRequest request) {
        perAddress(addresses, request, request.tenant().auth().rateLimits().signUpsPerHour());
    }

    public void anonymous(AuthRequest request) {
        perAddress(anonymous, request, request.tenant().auth().rateLimits().anonymousPerHour());
    }

    /** A code or a link that is tried. */
    public void verification(AuthRequest request) {
        perAddress(verifications, request, request.tenant().auth().rateLimits().verificationsPerHour());
    }

    /**
     * A code that is tried, from whatever address of a caller.
     *
     * @param address it was sent to
     */
    public void code(AuthRequest request, String address) {
        require(codes.count(request.tenant().projectId(), address));
    }

    /** A refresh. Does not wait; fails as the others throw. */
    public CompletableFuture<Void> refresh(AuthRequest request) {
        if (request.caller().role() == DatabaseRole.SERVICE) {
            return CompletableFuture.completedFuture(null);
        }
        int perHour = request.tenant().auth().rateLimits().refreshesPerHour();
        return refreshes
                .countSoon(request.tenant().projectId(), request.callerAddress(), perHour)
                .thenAccept(AuthLimits::require);
    }

    /** A code of a second factor that is tried, from whatever address: who may try has the password already. */
    public void factor(AuthRequest request, UUID factor) {
        require(factors.count(request.tenant().projectId(), factor.toString()));
    }

    /** A message to a phone. */
    public void message(Tenant tenant) {
        RateDecision decision = messages.count(
                tenant.projectId(), "", tenant.auth().rateLimits().smsPerHour());
        if (!decision.allowed()) {
            throw AuthErrorCode.OVER_SMS_SEND_RATE_LIMIT.error(
                    "SMS rate limit exceeded: try again in " + decision.resetSeconds() + " seconds");
        }
    }

    private static void perAddress(RateLimit limit, AuthRequest request, int perHour) {
        if (request.caller().role() != DatabaseRole.SERVICE) {
            require(limit.count(request.tenant().projectId(), request.callerAddress(), perHour));
        }
    }

    private static void require(RateDecision decision) {
        if (!decision.allowed()) {
            throw AuthError.tooManyRequests(decision.resetSeconds());
        }
    }
}
