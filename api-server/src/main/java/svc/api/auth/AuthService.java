package svc.api.auth;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import svc.api.auth.password.PasswordHashes;
import svc.api.auth.token.ProjectTokens;
import svc.api.db.TenantTransactions;
import svc.api.limit.RateLimit;
import svc.api.proxy.CallerAddress;
import svc.api.runtime.PurposeRoots;

/** Puts the service together from the process's connections and roots. */
@ApplicationScoped
class AuthService {
    /** Enough for a person who forgot which password it was, too few to find one. */
    private static final RateLimit.Rule SIGN_INS = new RateLimit.Rule("auth-sign-in", 30, Duration.ofMinutes(5));

    @Produces
    @Singleton
    AuthRequestHandler handler(
            TenantTransactions transactions,
            PurposeRoots roots,
            RedisAPI redis,
            CallerAddress addresses,
            Clock clock,
            MeterRegistry metrics) {
        return new AuthRequestHandler(
                transactions,
                new ProjectTokens(roots),
                new PasswordHashes(),
                new RateLimit(redis, SIGN_INS, clock, metrics),
                addresses,
                clock);
    }
}
