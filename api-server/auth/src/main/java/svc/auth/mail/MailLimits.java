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

/** How many mails a project sends in an hour; and how often one address may be asked for that has no user. */
public final class MailLimits {
    /** The limit is the project's own. */
    private static final RateLimit.Rule HOURLY = new RateLimit.Rule("auth-mail", 30, Duration.ofHours(1));

    private static final int MAX_SPACINGS = 1000;

    private final Function<RateLimit.Rule, RateLimit> limits;
    private final RateLimit hourly;
    private final Cache<Integer, RateLimit> spacings =
            Caffeine.newBuilder().maximumSize(MAX_SPACINGS).build();

    /** @param limits makes what counts by a rule, over all instances */
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
     * As the times in a user's row space mails to that user, for an address without a user: the answers are the same.
     *
     * @param use what is asked for; each is spaced by itself
     */
    public void space(Tenant tenant, String use, String address) {
        int seconds = tenant.auth().email().minIntervalSeconds();
        if (seconds == 0) {
            return;
        }
        RateDecision decision = spacing(seconds).count(tenant.projectId(), use + " " + address);
        if (!decision.allowed()) {
            throw tooSoon(decision.resetSeconds());
        }
    }

    /** Takes it back, when the mail would not have gone out. */
    public void unspace(Tenant tenant, String use, String address) {
        int seconds = tenant.auth().email().minIntervalSeconds();
        if (seconds > 0) {
            spacing(seconds).forget(tenant.projectId(), use + " " + address);
        }
    }

    /** Two mails to one user follow each other too closely. */
    public static AuthError tooSoon(long seconds) {
        return AuthErrorCode.OVER_EMAIL_SEND_RATE_LIMIT
                .error("For security purposes, you can only request this after " + seconds + " seconds.")
                .retryAfter(seconds);
    }

    private RateLimit spacing(int seconds) {
        return spacings.get(
                seconds,
                window -> limits.apply(new RateLimit.Rule("auth-mail-spacing", 1, Duration.ofSeconds(window))));
    }
}
