package svc.api.auth;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import svc.api.auth.captcha.Captcha;
import svc.api.auth.hook.AuthHooks;
import svc.api.auth.hook.HookLimits;
import svc.api.auth.limit.AuthLimits;
import svc.api.auth.password.LeakedPasswords;
import svc.api.auth.password.PasswordHashes;
import svc.api.auth.password.PasswordRules;
import svc.api.auth.secret.FactorSecrets;
import svc.api.auth.secret.ProjectSecrets;
import svc.api.auth.token.ProjectTokens;
import svc.api.db.TenantTransactions;
import svc.api.egress.EgressClient;
import svc.api.proxy.CallerAddress;
import svc.api.runtime.PurposeRoots;

/** Puts the service together from the process's connections and roots. */
@ApplicationScoped
class AuthService {
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
        return new AuthRequestHandler(
                transactions,
                new ProjectTokens(roots),
                new PasswordHashes(),
                new FactorSecrets(roots),
                new AuthLimits(redis, clock, metrics),
                new AuthHooks(transactions, egress, new ProjectSecrets(roots), HookLimits.defaults(), clock),
                new PasswordRules(new LeakedPasswords(egress, LeakedPasswords.ranges())),
                new Captcha(egress, new ProjectSecrets(roots), Captcha.judges()),
                addresses,
                clock);
    }
}
