package svc.auth;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import javax.net.ssl.SSLSocketFactory;
import svc.auth.captcha.Captcha;
import svc.auth.hook.AuthHooks;
import svc.auth.hook.HookLimits;
import svc.auth.limit.AuthLimits;
import svc.auth.mail.MailConfig;
import svc.auth.mail.MailLimits;
import svc.auth.mail.MailServers;
import svc.auth.mail.Mailer;
import svc.auth.mail.SmtpSender;
import svc.auth.password.LeakedPasswords;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.provider.ProviderCatalogue;
import svc.auth.provider.Providers;
import svc.auth.secret.FactorSecrets;
import svc.auth.token.ProjectTokens;
import svc.platform.clientip.CallerAddress;
import svc.platform.config.PurposeRoots;
import svc.platform.egress.AddressRules;
import svc.platform.egress.EgressClient;
import svc.platform.egress.HostLookup;
import svc.platform.ratelimit.RateLimit;
import svc.platform.secret.ProjectSecrets;
import svc.postgres.flush.TenantTransactions;

/** Produces the service's beans from the process's connections and root keys. */
@ApplicationScoped
class AuthService {
    /** Per call: a sign-in makes up to four, and most clients wait ten seconds. */
    private static final Duration PROVIDER_TIMEOUT = Duration.ofSeconds(3);

    @Produces
    @Singleton
    AuthHooks hooks(TenantTransactions transactions, EgressClient egress, PurposeRoots roots, Clock clock) {
        return new AuthHooks(transactions, egress, new ProjectSecrets(roots), HookLimits.defaults(), clock);
    }

    @Produces
    @Singleton
    SmtpSender smtp(AddressRules rules, HostLookup hosts, MailConfig config) {
        return new SmtpSender(rules, hosts, (SSLSocketFactory) SSLSocketFactory.getDefault(), config.timeout());
    }

    void close(@Disposes SmtpSender sender) {
        sender.close();
    }

    @Produces
    @Singleton
    Mailer mailer(
            SmtpSender sender,
            MailConfig config,
            PurposeRoots roots,
            AuthHooks hooks,
            RedisAPI redis,
            Clock clock,
            MeterRegistry metrics) {
        return new Mailer(
                new MailServers(new ProjectSecrets(roots), config.server()),
                sender,
                new MailLimits(rule -> new RateLimit(redis, rule, clock, metrics)),
                hooks);
    }

    @Produces
    @Singleton
    AuthRequestHandler handler(
            TenantTransactions transactions,
            PurposeRoots roots,
            RedisAPI redis,
            EgressClient egress,
            CallerAddress addresses,
            AuthHooks hooks,
            Mailer mailer,
            Clock clock,
            MeterRegistry metrics) {
        var secrets = new ProjectSecrets(roots);
        var dependencies = new AuthDependencies(
                transactions,
                new ProjectTokens(roots),
                new PasswordHashes(),
                new PasswordRules(new LeakedPasswords(egress, LeakedPasswords.ranges())),
                new FactorSecrets(roots),
                new AuthLimits(redis, clock, metrics),
                hooks,
                new Providers(ProviderCatalogue.real(), egress, secrets, PROVIDER_TIMEOUT, clock),
                new Captcha(egress, secrets, Captcha.verifiers()),
                mailer,
                clock);
        return new AuthRequestHandler(RouteTable.of(UseCases.of(dependencies)), addresses);
    }
}
