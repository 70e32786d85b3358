package svc.api.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.UUID;
import svc.api.auth.ExternalAccounts.Account;
import svc.api.auth.hook.AuthHooks;
import svc.api.auth.http.AuthError;
import svc.api.auth.http.AuthRequest;
import svc.api.auth.provider.ExternalUser;
import svc.api.auth.rows.AuthRows;
import svc.api.db.SqlError;
import svc.api.db.TransactionSteps.Outcome;
import svc.api.tenancy.Tenant;

/** From somebody whom a provider vouches for to a user of the project, in one transaction with what that leads to. */
final class ExternalSignIn {
    private final AuthTransactions transactions;
    private final ExternalAccounts accounts;
    private final AuthHooks hooks;

    ExternalSignIn(AuthTransactions transactions, ExternalAccounts accounts, AuthHooks hooks) {
        this.transactions = transactions;
        this.accounts = accounts;
        this.hooks = hooks;
    }

    /** What follows in the same transaction. */
    @FunctionalInterface
    interface Then<T> {
        T with(AuthRows rows, Account account);
    }

    /**
     * @param provider the name that the project has given it
     * @param linkTo the user who gets a further identity; empty for a sign-in
     * @throws AuthError as {@link ExternalAccounts} throws it
     */
    <T> T run(AuthRequest request, String provider, ExternalUser external, Optional<UUID> linkTo, Then<T> then) {
        Tenant tenant = request.tenant();
        if (linkTo.isPresent()) {
            OwnIdentities.requireManualLinking(tenant);
        } else if (hooks.decidesOnUsers(tenant)) {
            Optional<ObjectNode> made = transactions.run(
                    tenant, rows -> new Outcome<>(accounts.toBeMade(rows, tenant.auth(), provider, external), true));
            made.ifPresent(user -> hooks.beforeUserCreated(request, UserView.of(user)));
        }
        try {
            return once(tenant, provider, external, linkTo, then);
        } catch (SqlError e) {
            // The same person in two tabs: the other one was quicker, and now there is somebody to find.
            boolean raced = DatabaseRefusal.isTwice(e, "identities_provider_id_provider_unique")
                    || DatabaseRefusal.isTwice(e, "users_email_partial_key");
            if (!raced) {
                throw e;
            }
            return once(tenant, provider, external, linkTo, then);
        }
    }

    private <T> T once(Tenant tenant, String provider, ExternalUser external, Optional<UUID> linkTo, Then<T> then) {
        return transactions.run(tenant, rows -> {
            Account account = linkTo.isPresent()
                    ? accounts.linked(rows, tenant.auth(), provider, external, linkTo.get())
                    : accounts.signedIn(rows, tenant.auth(), provider, external);
            return new Outcome<>(then.with(rows, account), true);
        });
    }
}
