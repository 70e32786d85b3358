package svc.auth;

import java.time.Clock;
import java.util.Map;
import svc.auth.admin.AdminFactors;
import svc.auth.admin.AdminLinks;
import svc.auth.admin.AdminUsers;
import svc.auth.captcha.Captcha;
import svc.auth.external.ExternalProviders;
import svc.auth.flow.FlowStates;
import svc.auth.http.AuthRoutes.Endpoint;
import svc.auth.mfa.FactorChallenges;
import svc.auth.mfa.FactorEnrollment;
import svc.auth.otp.MailSignIn;
import svc.auth.otp.OneTimeChecks;
import svc.auth.otp.OneTimeMails;
import svc.auth.otp.PhoneCodes;
import svc.auth.otp.PhoneSignIn;
import svc.auth.otp.Resend;
import svc.auth.otp.Verification;
import svc.auth.phone.PhoneMessages;
import svc.auth.redirect.RedirectTargets;
import svc.auth.rows.AuthTransactions;
import svc.auth.session.SessionGrant;
import svc.auth.signin.PasswordGrant;
import svc.auth.signin.PkceGrant;
import svc.auth.signin.RefreshGrant;
import svc.auth.signin.TokenGrants;
import svc.auth.signup.SignUp;
import svc.auth.unconfirmed.UnconfirmedAccounts;
import svc.auth.user.CurrentUser;
import svc.auth.user.Reauthentication;

/** The use cases of the service, wired by hand; {@link RouteTable} says which call is answered by which. */
record UseCases(
        Captcha captcha,
        Discovery discovery,
        SignUp signUp,
        TokenGrants tokens,
        MailSignIn mailSignIn,
        PhoneSignIn phoneSignIn,
        Resend resend,
        Verification verification,
        CurrentUser user,
        Reauthentication reauthentication,
        FactorEnrollment factors,
        FactorChallenges challenges,
        ExternalProviders external,
        AdminUsers adminUsers,
        AdminFactors adminFactors,
        AdminLinks adminLinks) {
    static UseCases of(AuthDependencies with) {
        Clock clock = with.clock();
        var transactions = new AuthTransactions(with.database());
        var grant = new SessionGrant(with.tokens(), with.hooks(), clock);
        var flows = new FlowStates(clock);
        var redirects = new RedirectTargets();
        var mails = new OneTimeMails(with.mailer(), with.tokens(), flows, redirects, clock);
        var checks = new OneTimeChecks(with.tokens(), clock);
        var messages = new PhoneMessages(with.hooks(), with.limits(), clock);
        var codes = new PhoneCodes(transactions, with.tokens(), messages, clock);
        var unconfirmedAccounts = new UnconfirmedAccounts(transactions, clock);
        var external = new ExternalProviders(
                transactions,
                grant,
                mails,
                unconfirmedAccounts,
                with.hooks(),
                with.providers(),
                flows,
                redirects,
                clock);
        var reauthentication = new Reauthentication(transactions, mails, checks, redirects, clock);
        return new UseCases(
                with.captcha(),
                new Discovery(with.tokens()),
                new SignUp(
                        transactions,
                        with.hashes(),
                        with.rules(),
                        grant,
                        mails,
                        codes,
                        unconfirmedAccounts,
                        with.hooks(),
                        with.limits(),
                        redirects,
                        clock),
                grants(with, transactions, grant, flows, external),
                new MailSignIn(transactions, mails, unconfirmedAccounts, with.hooks(), with.limits(), redirects, clock),
                new PhoneSignIn(transactions, grant, codes, unconfirmedAccounts, with.hooks(), with.limits(), clock),
                new Resend(transactions, mails, unconfirmedAccounts, with.limits(), redirects),
                new Verification(
                        transactions, grant, checks, unconfirmedAccounts, flows, redirects, with.limits(), clock),
                new CurrentUser(
                        transactions,
                        with.hashes(),
                        with.rules(),
                        mails,
                        codes,
                        reauthentication,
                        with.limits(),
                        redirects,
                        clock),
                reauthentication,
                new FactorEnrollment(transactions, with.factorSecrets(), clock),
                new FactorChallenges(
                        transactions, with.factorSecrets(), messages, grant, with.hooks(), with.limits(), clock),
                external,
                new AdminUsers(transactions, with.hashes(), with.rules(), clock),
                new AdminFactors(transactions),
                new AdminLinks(
                        transactions, mails, unconfirmedAccounts, with.hashes(), with.rules(), redirects, clock));
    }

    private static TokenGrants grants(
            AuthDependencies with,
            AuthTransactions transactions,
            SessionGrant grant,
            FlowStates flows,
            ExternalProviders external) {
        var password = new PasswordGrant(
                transactions,
                with.hashes(),
                with.rules(),
                grant,
                with.limits(),
                with.captcha(),
                with.hooks(),
                with.clock());
        var refresh = new RefreshGrant(transactions, grant, with.tokens(), with.limits(), with.clock());
        var pkce = new PkceGrant(transactions, grant, flows, external::completeLink, with.clock());
        return new TokenGrants(
                refresh,
                Map.<String, Endpoint>of(
                        "password", password::answer,
                        "pkce", pkce::answer,
                        "id_token", external::idToken,
                        "web3", UnsupportedEndpoints.web3()));
    }
}
