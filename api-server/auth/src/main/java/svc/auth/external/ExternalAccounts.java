package svc.auth.external;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.CallContext;
import svc.auth.model.EmailAddress;
import svc.auth.model.Identity;
import svc.auth.model.Metadata;
import svc.auth.model.NewUser;
import svc.auth.model.NewUser.NewIdentity;
import svc.auth.model.User;
import svc.auth.model.UserTime;
import svc.auth.provider.ExternalUser;
import svc.auth.provider.ExternalUser.Email;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.Identities;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.UserUpdate;
import svc.auth.rows.Users;
import svc.auth.unconfirmed.UnconfirmedAccounts;
import svc.crds.project.auth.AuthSpec;

/**
 * Resolves a provider's user to a user of the project: by the provider's subject, else by an address that the provider has
 * verified, else a new user.
 *
 * <p>Hazard: an address that the provider has not verified must never resolve to an existing user.
 */
final class ExternalAccounts {
    private static final int MAX_ADDRESSES = 20;

    private final UnconfirmedAccounts unconfirmedAccounts;
    private final Clock clock;

    ExternalAccounts(UnconfirmedAccounts unconfirmedAccounts, Clock clock) {
        this.unconfirmedAccounts = unconfirmedAccounts;
        this.clock = clock;
    }

    /** @param confirmed whether the user may have a session: its address or its number is confirmed */
    record Account(User user, boolean confirmed) {}

    /** The user that a sign-in would create; empty when it would find one. */
    Optional<NewUser> toCreate(AuthSession db, AuthSpec spec, String provider, ExternalUser external) {
        return isKnown(db, provider, external) ? Optional.empty() : newUser(db, spec, provider, external);
    }

    private static boolean isKnown(AuthSession db, String provider, ExternalUser external) {
        return new Identities(db).bySubject(provider, external.subject()).isPresent()
                || byAddress(db, external).isPresent();
    }

    /**
     * Signs a user in, and creates it if there is none.
     *
     * @throws AuthError when the user is banned, or may not be created
     */
    Account signIn(CallContext context, AuthSession db, String provider, ExternalUser external) {
        AuthSpec spec = context.tenant().auth();
        var identities = new Identities(db);
        Optional<Identity> identity = identities.bySubject(provider, external.subject());
        if (identity.isPresent()) {
            identities.recordSignIn(identity.get().id(), external.identityData());
            return update(db, spec, require(db, identity.get().userId()), external, AuditLog.Action.LOGIN);
        }
        Optional<User> owner = byAddress(db, external);
        if (owner.isPresent()) {
            return join(db, spec, provider, external, owner.get());
        }
        Optional<NewUser> user = newUser(db, spec, provider, external);
        if (user.isEmpty()) {
            return signIn(context, db, provider, external);
        }
        User created = unconfirmedAccounts.begin(context, db, Optional.empty(), user.get());
        return update(db, spec, created, external, AuditLog.Action.USER_SIGNED_UP);
    }

    /** The user with a verified address: one whose own address it is, else one with a verified identity of it. */
    private static Optional<User> byAddress(AuthSession db, ExternalUser external) {
        var users = new Users(db);
        List<String> verified =
                external.verified().stream().limit(MAX_ADDRESSES).toList();
        for (String address : verified) {
            Optional<User> owner = users.byEmail(address);
            if (owner.isPresent()) {
                return owner;
            }
        }
        List<UUID> known = verified.isEmpty() ? List.of() : new Identities(db).usersWithVerified(verified);
        // Two candidates are ambiguous: neither is linked.
        return known.size() == 1 ? users.byId(known.getFirst()) : Optional.empty();
    }

    /** Links a further identity to the owner of a verified address. */
    private Account join(AuthSession db, AuthSpec spec, String provider, ExternalUser external, User owner) {
        requireNotBanned(owner);
        if (owner.hasUnconfirmedEmail()) {
            // Account pre-hijacking: an attacker may have signed up with the address of the owner, who signs in now.
            unconfirmedAccounts.restart(
                    db, owner, pending(provider, external, owner.email().orElseThrow()));
        } else {
            new Identities(db).insert(owner.id(), provider, external.subject(), external.identityData());
        }
        new AuditLog(db).record(AuditLog.Action.IDENTITY_LINKED, owner);
        return update(db, spec, require(db, owner.id()), external, AuditLog.Action.LOGIN);
    }

    /** What the account of an address holds that a provider's user begins. */
    NewUser pending(String provider, ExternalUser external, String address) {
        var identity = new NewIdentity(provider, external.subject(), external.identityData());
        return NewUser.withProvider(identity, address, false, clock.instant());
    }

    /**
     * Links a further identity to a signed-in user.
     *
     * @throws AuthError when a user has the identity already, or another user its address
     */
    Account link(AuthSession db, AuthSpec spec, String provider, ExternalUser external, UUID userId) {
        User user = requireLinkable(db, provider, external, userId);
        new Identities(db).insert(userId, provider, external.subject(), external.identityData());
        UserUpdate update = new UserUpdate().anonymous(false).time(UserTime.UPDATED, clock.instant());
        if (user.email().isEmpty()) {
            external.primary()
                    .filter(Email::verified)
                    .flatMap(ExternalAccounts::usable)
                    .ifPresent(address -> {
                        if (new Users(db).byEmail(address).isPresent()) {
                            throw AuthErrorCode.EMAIL_EXISTS.error();
                        }
                        update.email(address).time(UserTime.EMAIL_CONFIRMED, clock.instant());
                    });
        }
        new Users(db).update(userId, update);
        new AuditLog(db).record(AuditLog.Action.IDENTITY_LINKED, user);
        return update(db, spec, require(db, userId), external, AuditLog.Action.LOGIN);
    }

    /** @throws AuthError when a user has the identity already */
    User requireLinkable(AuthSession db, String provider, ExternalUser external, UUID userId) {
        User user = require(db, userId);
        requireNotBanned(user);
        new Identities(db).bySubject(provider, external.subject()).ifPresent(there -> {
            throw AuthErrorCode.IDENTITY_ALREADY_EXISTS.error(
                    there.userId().equals(userId)
                            ? "Identity is already linked"
                            : "Identity is already linked to another user");
        });
        return user;
    }

    /** Writes the provider's data into the user, and decides whether the user may have a session. */
    private Account update(AuthSession db, AuthSpec spec, User user, ExternalUser external, AuditLog.Action action) {
        requireNotBanned(user);
        UserUpdate update = new UserUpdate()
                .userMetadata(Metadata.merged(user.userMetadata(), external.identityData()))
                .appMetadata(withProviders(user))
                .time(UserTime.UPDATED, clock.instant());
        boolean verified = user.email().filter(external.verified()::contains).isPresent();
        if (user.hasUnconfirmedEmail() && (verified || spec.email().autoconfirm())) {
            update.time(UserTime.EMAIL_CONFIRMED, clock.instant());
            new OneTimeTokens(db).deleteOf(user.id());
        }
        new Users(db).update(user.id(), update);
        User updated = require(db, user.id());
        boolean confirmed = !updated.hasUnconfirmedEmail() || updated.phoneConfirmed();
        if (confirmed) {
            new AuditLog(db).record(action, updated);
        }
        return new Account(updated, confirmed);
    }

    /** {@code app_metadata} with the providers of all identities, the oldest first. */
    static ObjectNode withProviders(User user) {
        ObjectNode known = user.appMetadata().deepCopy();
        List<String> providers =
                user.identities().stream().map(Identity::provider).distinct().toList();
        if (!providers.isEmpty()) {
            known.put("provider", providers.getFirst());
        }
        ArrayNode all = known.putArray("providers");
        providers.forEach(all::add);
        return known;
    }

    /** Empty when a concurrent call has created the user. */
    private Optional<NewUser> newUser(AuthSession db, AuthSpec spec, String provider, ExternalUser external) {
        if (!spec.signUp()) {
            throw AuthErrorCode.SIGNUP_DISABLED.error();
        }
        Email email = external.primary()
                .filter(one -> usable(one).isPresent())
                .orElseThrow(() -> AuthError.invalid("Error getting user email from external provider"));
        boolean confirmed = email.verified() || spec.email().autoconfirm();
        String address = usable(email).orElseThrow();
        if (new Users(db).byEmail(address).isPresent()) {
            if (isKnown(db, provider, external)) {
                return Optional.empty();
            }
            // An unverified address: only the owner of the mailbox may learn that it has an account.
            throw confirmed ? AuthErrorCode.EMAIL_EXISTS.error() : new AddressTaken(address);
        }
        var identity = new NewIdentity(provider, external.subject(), external.identityData());
        return Optional.of(NewUser.withProvider(identity, address, confirmed, clock.instant()));
    }

    /** Another user has an address that the provider has not verified. The caller must not learn it. */
    static final class AddressTaken extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String address;

        AddressTaken(String address) {
            super("another user has an unverified address", null, false, false);
            this.address = address;
        }

        String address() {
            return address;
        }
    }

    /** The refusal of a session while the address is unconfirmed. */
    static AuthError unconfirmed(String provider) {
        return AuthErrorCode.PROVIDER_EMAIL_NEEDS_VERIFICATION.error("Unverified email with " + provider
                + ". A confirmation email has been sent to your " + provider + " email");
    }

    private static Optional<String> usable(Email email) {
        try {
            return Optional.of(EmailAddress.of(email.address()));
        } catch (AuthError e) {
            return Optional.empty();
        }
    }

    private void requireNotBanned(User user) {
        if (user.isBanned(clock.instant())) {
            throw AuthErrorCode.USER_BANNED.error();
        }
    }

    private static User require(AuthSession db, UUID id) {
        return new Users(db).byId(id).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
    }
}
