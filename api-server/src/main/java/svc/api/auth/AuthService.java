package svc.api.auth;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import svc.api.auth.hook.AuthHooks;
import svc.api.auth.hook.HookLimits;
import svc.api.auth.password.PasswordHashes;
import svc.api.auth.provider.ProviderCatalogue;
import svc.api.auth.provider.Providers;
import svc.api.auth.secret.ProjectSecrets;
import svc.api.auth.token.ProjectTokens;
import svc.api.db.TenantTransactions;
import svc.api.egress.EgressClient;
import svc.api.limit.RateLimit;
import svc.api.proxy.CallerAddress;
import svc.api.runtime.PurposeRoots;

/** Puts the service together from the process's connections and roots. */
@ApplicationScoped
class AuthService {
    /** Enough for a person who forgot which password it was, too few to find one. */
    private static final RateLimit.Rule SIGN_INS = new RateLimit.Rule("auth-sign-in", 30, Duration.ofMinutes(5));

    /** A sign-in makes up to four calls, and a request has ten seconds at most clients. */
    private static final Duration PROVIDER_LIMIT = Duration.ofSeconds(3);

    @Produces
    @Singleton
    AuthRequestHandler handler(
            TenantTransactions transactions,
            PurposeRoots roots,
            RedisAPI redis,
            EgressClient egress,
            CallerAddress addresses,
            Clock clock,
            MeterRegistry metrics) {
        var secrets = new ProjectSecrets(roots);
        return new AuthRequestHandler(
                transactions,
                new ProjectTokens(roots),
                new PasswordHashes(),
                new RateLimit(redis, SIGN_INS, clock, metrics),
                new AuthHooks(transactions, egress, secrets, HookLimits.defaults(), clock),
                new Providers(ProviderCatalogue.real(), egress, secrets, PROVIDER_LIMIT, clock),
                addresses,
                clock);
    }
}
