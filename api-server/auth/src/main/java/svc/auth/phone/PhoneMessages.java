package svc.auth.phone;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import svc.auth.hook.AuthHooks;
import svc.auth.hook.AuthHooks.Delivery;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.limit.AuthLimits;
import svc.auth.model.Timestamp;
import svc.auth.model.User;
import svc.platform.tenancy.Tenant;

/** Sends one-time passwords to phones, by the hook {@code sendSms} of the project. */
public final class PhoneMessages {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final AuthHooks hooks;
    private final AuthLimits limits;
    private final Clock clock;

    public PhoneMessages(AuthHooks hooks, AuthLimits limits, Clock clock) {
        this.hooks = hooks;
        this.limits = limits;
        this.clock = clock;
    }

    /** A random one-time password of the project's length. */
    public static String code(Tenant tenant) {
        StringBuilder code = new StringBuilder();
        for (int i = 0; i < tenant.auth().phone().otpLength(); i++) {
            code.append((char) ('0' + RANDOM.nextInt(10)));
        }
        return code.toString();
    }

    /** @throws AuthError when the project has no hook {@code sendSms} */
    public static void requireSender(Tenant tenant) {
        if (tenant.auth().hooks() == null || tenant.auth().hooks().sendSms() == null) {
            throw AuthErrorCode.SMS_HOOK_MISSING.error();
        }
    }

    /** @throws AuthError of 429 within the minimum interval after the last message */
    public void requireInterval(Tenant tenant, Optional<Timestamp> last) {
        int interval = tenant.auth().phone().minIntervalSeconds();
        last.map(sent -> interval
                        - Duration.between(sent.instant(), clock.instant()).toSeconds())
                .filter(left -> left > 0)
                .ifPresent(left -> {
                    throw AuthErrorCode.OVER_SMS_SEND_RATE_LIMIT.error(
                            "For security purposes, you can only request this after " + left + " seconds.");
                });
    }

    /**
     * Waits for the project's hook.
     *
     * @throws AuthError when the message was not sent
     */
    public void send(Tenant tenant, User user, String phone, String code) {
        requireSender(tenant);
        limits.message(tenant);
        if (hooks.sendSms(tenant, user, phone, code) == Delivery.NO_HOOK) {
            requireSender(tenant);
        }
    }
}
