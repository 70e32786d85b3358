package svc.auth.external;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.UUID;
import svc.auth.external.ExternalAccounts.Account;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthError;
import svc.auth.http.AuthRequest;
import svc.auth.mail.Mailer;
import svc.auth.model.UserJson;
import svc.auth.otp.EmailUse;
import svc.auth.otp.OneTimeMails;
import svc.auth.provider.ExternalUser;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.SqlErrorMapping;
import svc.crds.project.auth.AuthSpec;
import svc.platform.tenancy.Tenant;
import svc.postgres.SqlError;
import svc.postgres.flush.TransactionSteps.Outcome;

/**
 * From somebody whom a provider vouches for to a user of the project, in one transaction with what that leads to. Whoever
 * comes with an address that the provider has not made sure of gets a mail there instead.
 */
public final class ExternalSignIn {
    private final AuthTransactions transactions;
    private final ExternalAccounts accounts;
    private final OneTimeMails mails;
    private final AuthHooks hooks;

    public ExternalSignIn(
            AuthTransactions transactions, ExternalAccounts accounts, OneTimeMails mails, AuthHooks hooks) {
        this.transactions = transactions;
        this.accounts = accounts;
        this.mails = mails;
        this.hooks = hooks;
    }

    /**
     * Who has come.
     *
     * @param provider the name that the project has given it
     * @param linkTo the user who gets a further identity; empty for a sign-in
     * @param redirect where the link of a confirmation leads in the end
     */
    public record Visitor(String provider, ExternalUser user, Optional<UUID> linkTo, String redirect) {}

    /** What follows in the same transaction for a user whose address counts. */
    @FunctionalInterface
    public interface Then<T> {
        T with(AuthSession rows, Account account);
    }

    /** @throws AuthError as {@link ExternalAccounts} throws it, and when the address has to be confirmed first */
    public <T> T run(AuthRequest request, Visitor visitor, Then<T> then) {
        Optional<T> done;
        try {
            ask(request, visitor);
            done = attempt(request, visitor, then);
        } catch (ExternalAccounts.AddressTaken e) {
            // For the caller the same as a new user's address: only who reads its mail learns whether there is
            // somebody.
            mails.pretend(request, EmailUse.SIGN_UP, e.address());
            done = Optional.empty();
        }
        return done.orElseThrow(() -> ExternalAccounts.unproved(visitor.provider()));
    }

    private void ask(AuthRequest request, Visitor visitor) {
        Tenant tenant = request.tenant();
        if (visitor.linkTo().isPresent()) {
            LinkedIdentities.requireManualLinking(tenant);
        } else if (hooks.decidesOnUsers(tenant)) {
            Optional<ObjectNode> made = transactions.run(
                    tenant,
                    rows -> new Outcome<>(
                            accounts.toBeMade(rows, tenant.auth(), visitor.provider(), visitor.user()), true));
            made.ifPresent(user -> hooks.beforeUserCreated(request, UserJson.of(user)));
        }
    }

    private <T> Optional<T> attempt(AuthRequest request, Visitor visitor, Then<T> then) {
        try {
            return once(request, visitor, then);
        } catch (SqlError e) {
            // The same person in two tabs: the other one was quicker, and now there is somebody to find.
            boolean raced = SqlErrorMapping.isTwice(e, "identities_provider_id_provider_unique")
                    || SqlErrorMapping.isTwice(e, "users_email_partial_key");
            if (!raced) {
                throw e;
            }
            return once(request, visitor, then);
        }
    }

    private <T> Optional<T> once(AuthRequest request, Visitor visitor, Then<T> then) {
        Tenant tenant = request.tenant();
        boolean mayMail = !tenant.auth().email().autoconfirm()
                && visitor.user()
                        .primary()
                        .filter(address -> !address.verified())
                        .isPresent();
        if (!mayMail) {
            return transactions.run(tenant, rows -> new Outcome<>(signedIn(request, rows, visitor, then), true));
        }
        try (Mailer.Turn turn = mails.turn(tenant)) {
            return transactions.run(tenant, rows -> new Outcome<>(signedIn(request, rows, visitor, then), true));
        }
    }

    /** Empty when the address has to be confirmed first. */
    private <T> Optional<T> signedIn(AuthRequest request, AuthSession rows, Visitor visitor, Then<T> then) {
        AuthSpec spec = request.tenant().auth();
        Account account = visitor.linkTo().isPresent()
                ? accounts.linked(
                        rows,
                        spec,
                        visitor.provider(),
                        visitor.user(),
                        visitor.linkTo().get())
                : accounts.signedIn(rows, spec, visitor.provider(), visitor.user());
        if (!account.confirmed()) {
            mails.confirm(request, rows, account.row(), visitor.redirect());
            return Optional.empty();
        }
        return Optional.of(then.with(rows, account));
    }
}
