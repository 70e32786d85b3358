package svc.auth.mail;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.function.Function;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.platform.ratelimit.RateDecision;
import svc.platform.ratelimit.RateLimit;
import svc.platform.tenancy.Tenant;

/** Limits of mails per project and hour, and the minimum interval between mails to an address without a user. */
public final class MailLimits {
    /** Each project configures its own limit. */
    private static final RateLimit.Rule HOURLY = new RateLimit.Rule("auth-mail", 30, Duration.ofHours(1));

    private static final int MAX_INTERVALS = 1000;

    private final Function<RateLimit.Rule, RateLimit> limits;
    private final RateLimit hourly;
    private final Cache<Integer, RateLimit> intervals =
            Caffeine.newBuilder().maximumSize(MAX_INTERVALS).build();

    /** @param limits creates the rate limit of a rule, which all instances share */
    public MailLimits(Function<RateLimit.Rule, RateLimit> limits) {
        this.limits = limits;
        this.hourly = limits.apply(HOURLY);
    }

    /** @throws AuthError when the project has sent as many as it may ({@code spec.auth.rateLimits.emailsPerHour}) */
    void count(Tenant tenant, int mails) {
        int most = tenant.auth().rateLimits().emailsPerHour();
        for (int i = 0; i < mails; i++) {
            RateDecision decision = hourly.count(tenant.projectId(), "", most);
            if (!decision.allowed()) {
                throw AuthErrorCode.OVER_EMAIL_SEND_RATE_LIMIT
                        .error("email rate limit exceeded: this project sends " + most + " mails an hour"
                                + " (spec.auth.rateLimits.emailsPerHour); the next one in "
                                + decision.resetSeconds() + " seconds")
                        .retryAfter(decision.resetSeconds());
            }
        }
    }

    /**
     * Counts a mail to an address without a user. The answers are those for a user, whose interval the times in its row
     * decide.
     *
     * @param use of the mail; each has an interval of its own
     */
    public void countInterval(Tenant tenant, String use, String address) {
        int seconds = tenant.auth().email().minIntervalSeconds();
        if (seconds == 0) {
            return;
        }
        RateDecision decision = interval(seconds).count(tenant.projectId(), use + " " + address);
        if (!decision.allowed()) {
            throw tooSoon(decision.resetSeconds());
        }
    }

    /** Takes the count back after a failure of the mail server. */
    public void uncountInterval(Tenant tenant, String use, String address) {
        int seconds = tenant.auth().email().minIntervalSeconds();
        if (seconds > 0) {
            interval(seconds).forget(tenant.projectId(), use + " " + address);
        }
    }

    /** The refusal within the minimum interval. */
    public static AuthError tooSoon(long seconds) {
        return AuthErrorCode.OVER_EMAIL_SEND_RATE_LIMIT
                .error("For security purposes, you can only request this after " + seconds + " seconds.")
                .retryAfter(seconds);
    }

    private RateLimit interval(int seconds) {
        return intervals.get(
                seconds,
                window -> limits.apply(new RateLimit.Rule("auth-mail-spacing", 1, Duration.ofSeconds(window))));
    }
}
