package svc.auth;

import java.time.Clock;
import svc.auth.captcha.Captcha;
import svc.auth.hook.AuthHooks;
import svc.auth.limit.AuthLimits;
import svc.auth.mail.Mailer;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.provider.Providers;
import svc.auth.secret.FactorSecrets;
import svc.auth.token.ProjectTokens;
import svc.postgres.flush.TenantTransactions;

/** Everything that the use cases share and that reaches outside of them. */
record AuthDependencies(
        TenantTransactions database,
        ProjectTokens tokens,
        PasswordHashes hashes,
        PasswordRules rules,
        FactorSecrets factorSecrets,
        AuthLimits limits,
        AuthHooks hooks,
        Providers providers,
        Captcha captcha,
        Mailer mailer,
        Clock clock) {}
