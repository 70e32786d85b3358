package svc.auth.external;

import java.util.Optional;
import java.util.UUID;
import svc.auth.external.ExternalAccounts.Account;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthError;
import svc.auth.http.CallContext;
import svc.auth.mail.Mailer;
import svc.auth.model.NewUser;
import svc.auth.model.User;
import svc.auth.otp.EmailUse;
import svc.auth.otp.LinkTarget;
import svc.auth.otp.OneTimeMails;
import svc.auth.provider.ExternalUser;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.SqlErrorMapping;
import svc.auth.rows.Users;
import svc.auth.unconfirmed.UnconfirmedAccounts;
import svc.crds.project.auth.AuthSpec;
import svc.platform.tenancy.Tenant;
import svc.postgres.SqlError;

/**
 * Signs a provider's user in, in one transaction with the caller's next step. A user with an unconfirmed address gets a mail
 * instead of a session.
 */
final class ExternalSignIn {
    private final AuthTransactions transactions;
    private final ExternalAccounts accounts;
    private final UnconfirmedAccounts unconfirmedAccounts;
    private final OneTimeMails mails;
    private final AuthHooks hooks;

    ExternalSignIn(
            AuthTransactions transactions,
            ExternalAccounts accounts,
            UnconfirmedAccounts unconfirmedAccounts,
            OneTimeMails mails,
            AuthHooks hooks) {
        this.transactions = transactions;
        this.accounts = accounts;
        this.unconfirmedAccounts = unconfirmedAccounts;
        this.mails = mails;
        this.hooks = hooks;
    }

    /**
     * A provider's user who signs in.
     *
     * @param provider its name in the project
     * @param linkTo the user who links a further identity; empty for a sign-in
     * @param redirect of the link that confirms the address
     */
    record Arrival(CallContext context, String provider, ExternalUser user, Optional<UUID> linkTo, String redirect) {
        Tenant tenant() {
            return context.tenant();
        }
    }

    /** The next step in the same transaction, for a confirmed user. */
    @FunctionalInterface
    interface NextStep<T> {
        T with(AuthSession db, User user);
    }

    /** @throws AuthError as {@link ExternalAccounts} throws it, and when the address has to be confirmed first */
    <T> T run(Arrival arrival, NextStep<T> next) {
        Optional<T> done;
        try {
            askHook(arrival);
            done = attempt(arrival, next);
        } catch (ExternalAccounts.AddressTaken e) {
            // The same answer as for a new user's address: only the owner of the mailbox learns of the account.
            contest(arrival, e.address());
            mails.pretend(arrival.tenant(), EmailUse.SIGN_UP, e.address());
            done = Optional.empty();
        }
        return done.orElseThrow(() -> ExternalAccounts.unconfirmed(arrival.provider()));
    }

    private void contest(Arrival arrival, String address) {
        transactions.run(arrival.tenant(), db -> {
            Optional<User> waiting = new Users(db).byEmail(address);
            waiting.ifPresent(user -> unconfirmedAccounts.contest(arrival.context(), db, user));
            return waiting;
        });
    }

    private void askHook(Arrival arrival) {
        Tenant tenant = arrival.tenant();
        if (arrival.linkTo().isPresent()) {
            LinkedIdentities.requireManualLinking(tenant);
        } else if (hooks.decidesOnUsers(tenant)) {
            Optional<NewUser> user = transactions.run(
                    tenant, db -> accounts.toCreate(db, tenant.auth(), arrival.provider(), arrival.user()));
            user.ifPresent(created -> hooks.beforeUserCreated(tenant, created.asUser()));
        }
    }

    private <T> Optional<T> attempt(Arrival arrival, NextStep<T> next) {
        try {
            return once(arrival, next);
        } catch (SqlError e) {
            // A concurrent first sign-in of the same person: the repetition finds its user.
            boolean raced = SqlErrorMapping.isDuplicate(e, "identities_provider_id_provider_unique")
                    || SqlErrorMapping.isDuplicate(e, "users_email_partial_key");
            if (!raced) {
                throw e;
            }
            return once(arrival, next);
        }
    }

    private <T> Optional<T> once(Arrival arrival, NextStep<T> next) {
        Tenant tenant = arrival.tenant();
        boolean mayMail = !tenant.auth().email().autoconfirm()
                && arrival.user()
                        .primary()
                        .filter(address -> !address.verified())
                        .isPresent();
        if (!mayMail) {
            return transactions.run(tenant, db -> signIn(arrival, db, next));
        }
        try (Mailer.Permit permit = mails.permit(tenant)) {
            return transactions.run(tenant, db -> signIn(arrival, db, next));
        }
    }

    /** Empty when the address has to be confirmed first. */
    private <T> Optional<T> signIn(Arrival arrival, AuthSession db, NextStep<T> next) {
        AuthSpec spec = arrival.tenant().auth();
        Account account = arrival.linkTo()
                .map(user -> accounts.link(db, spec, arrival.provider(), arrival.user(), user))
                .orElseGet(() -> accounts.signIn(arrival.context(), db, arrival.provider(), arrival.user()));
        if (!account.confirmed()) {
            // The mail may be opened in another browser: so its link ends with a session, as in GoTrue.
            LinkTarget target = LinkTarget.implicit(arrival.redirect());
            mails.send(arrival.context(), db, waiting(arrival, db, account.user()), EmailUse.SIGN_UP, target);
            return Optional.empty();
        }
        return Optional.of(next.with(db, account.user()));
    }

    /** The account holds only what this attempt brings, unless it was created just now. */
    private User waiting(Arrival arrival, AuthSession db, User user) {
        String address = user.email().orElseThrow();
        return unconfirmedAccounts.begin(
                arrival.context(),
                db,
                Optional.of(user),
                accounts.pending(arrival.provider(), arrival.user(), address));
    }
}
