package svc.auth.phone;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import svc.auth.hook.AuthHooks;
import svc.auth.hook.AuthHooks.Delivery;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.limit.AuthLimits;
import svc.platform.tenancy.Tenant;

/** One-time passwords on their way to a phone. The hook {@code sendSms} of the project takes them there. */
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

    /** A one-time password of as many digits as the project wants. */
    public static String code(Tenant tenant) {
        StringBuilder code = new StringBuilder();
        for (int i = 0; i < tenant.auth().phone().otpLength(); i++) {
            code.append((char) ('0' + RANDOM.nextInt(10)));
        }
        return code.toString();
    }

    /** @throws AuthError when a message could not be sent anyway */
    public static void requireSender(Tenant tenant) {
        if (tenant.auth().hooks() == null || tenant.auth().hooks().sendSms() == null) {
            throw AuthErrorCode.SMS_HOOK_MISSING.error();
        }
    }

    /** @throws AuthError of 429 when the last message is too young */
    public void requireSpacing(Tenant tenant, Optional<Instant> last) {
        int spacing = tenant.auth().phone().minIntervalSeconds();
        last.map(sent -> spacing - Duration.between(sent, clock.instant()).toSeconds())
                .filter(left -> left > 0)
                .ifPresent(left -> {
                    throw AuthErrorCode.OVER_SMS_SEND_RATE_LIMIT.error(
                            "For security purposes, you can only request this after " + left + " seconds.");
                });
    }

    /**
     * Waits for the project's hook.
     *
     * @param user as clients see it
     * @throws AuthError when it could not be sent
     */
    public void send(Tenant tenant, ObjectNode user, String phone, String code) {
        requireSender(tenant);
        limits.message(tenant);
        if (hooks.sendSms(tenant, user, phone, code) == Delivery.NO_HOOK) {
            requireSender(tenant);
        }
    }
}
