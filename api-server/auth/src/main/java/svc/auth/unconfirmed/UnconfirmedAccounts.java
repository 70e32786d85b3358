package svc.auth.unconfirmed;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import svc.auth.http.AuthError;
import svc.auth.http.CallContext;
import svc.auth.model.Metadata;
import svc.auth.model.NewUser;
import svc.auth.model.User;
import svc.auth.model.UserTime;
import svc.auth.rows.Attempt;
import svc.auth.rows.Attempt.Standing;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.FactorRows;
import svc.auth.rows.Identities;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.OneTimeTokens.Type;
import svc.auth.rows.Sessions;
import svc.auth.rows.UserUpdate;
import svc.auth.rows.Users;
import svc.platform.tenancy.Tenant;

/**
 * Accounts whose address or number is not confirmed yet. Any caller can begin one with another person's address. So each
 * attempt starts the account from nothing with what came with it, and the first confirmation keeps that only when the
 * message that was answered belongs to the attempt.
 *
 * <p>Hazard (account pre-hijacking): a password, an identity, a number or a session that outlives the first confirmation
 * opens the account to the caller who put it there.
 */
public final class UnconfirmedAccounts {
    private final AuthTransactions transactions;
    private final Clock clock;

    public UnconfirmedAccounts(AuthTransactions transactions, Clock clock) {
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * Begins a public attempt, whose message is sent next in the same transaction. Content that the project's server wrote
     * stays: the attempt adds nothing to it.
     *
     * @param found the user with the address or the number; unconfirmed
     * @param wanted what the account holds if the message is answered
     */
    public User begin(CallContext context, AuthSession db, Optional<User> found, NewUser wanted) {
        var users = new Users(db);
        if (found.isEmpty()) {
            User created = users.create(wanted);
            if (!created.isConfirmed()) {
                attempt(context, Standing.SOLE).write(db, created.id());
            }
            return created;
        }
        User user = locked(db, found.get());
        Optional<Attempt> before = Attempt.read(db, user.id());
        if (user.isConfirmed()) {
            return user;
        }
        if (before.isEmpty() || before.get().standing() == Standing.MADE_BY_SERVER) {
            attempt(context, Standing.MADE_BY_SERVER).write(db, user.id());
            return user;
        }
        boolean contested = isUnderWay(context.tenant(), user, before.get())
                && (before.get().standing() == Standing.CONTESTED
                        || !before.get().isFrom(context.network()));
        restart(db, user, wanted);
        attempt(context, contested ? Standing.CONTESTED : Standing.SOLE).write(db, user.id());
        return users.byId(user.id()).orElseThrow();
    }

    private Attempt attempt(CallContext context, Standing standing) {
        return Attempt.of(standing, context.network(), clock.instant());
    }

    private static User locked(AuthSession db, User user) {
        var users = new Users(db);
        users.lock(user.id());
        return users.byId(user.id()).orElse(user);
    }

    private boolean isUnderWay(Tenant tenant, User user, Attempt attempt) {
        int seconds = user.email().isPresent()
                ? tenant.auth().email().otpExpirySeconds()
                : tenant.auth().phone().otpExpirySeconds();
        return attempt.at().plusSeconds(seconds).isAfter(clock.instant());
    }

    /** The project's server starts the account again, by an invitation for example; its own content stays. */
    public User beginByServer(AuthSession db, User found, NewUser wanted) {
        User user = locked(db, found);
        boolean byCaller = Attempt.read(db, user.id())
                .filter(attempt -> attempt.standing() != Standing.MADE_BY_SERVER)
                .isPresent();
        if (!byCaller || user.isConfirmed()) {
            return user;
        }
        restart(db, user, wanted);
        return new Users(db).byId(user.id()).orElseThrow();
    }

    /** The message of the pending attempt is sent again. */
    public void repeat(CallContext context, AuthSession db, User user) {
        contest(context, db, user);
        Attempt.read(db, user.id())
                .map(attempt -> new Attempt(attempt.standing(), attempt.origin(), clock.instant()))
                .ifPresent(attempt -> attempt.write(db, user.id()));
    }

    /** Another message to the address is wanted: the recipient may take the message of the pending attempt for it. */
    public void contest(CallContext context, AuthSession db, User user) {
        if (!user.isConfirmed()) {
            Attempt.read(db, user.id())
                    .filter(attempt -> attempt.standing() == Standing.SOLE && !attempt.isFrom(context.network()))
                    .ifPresent(attempt -> attempt.with(Standing.CONTESTED).write(db, user.id()));
        }
    }

    /**
     * Runs a call that wants a message. A refusal, because one was sent a moment ago for example, contests the pending attempt
     * all the same: its message is the only one that the recipient finds.
     */
    public <T> T wanting(CallContext context, Function<Users, Optional<User>> recipient, Supplier<T> call) {
        try {
            return call.get();
        } catch (AuthError e) {
            transactions.run(context.tenant(), db -> {
                recipient.apply(new Users(db)).ifPresent(user -> contest(context, db, user));
                return true;
            });
            throw e;
        }
    }

    /**
     * The owner of the address or of the number answers a message. From the first answer on the account holds only what came
     * with that message, or what the project's server wrote, without a password unless the message belongs to it.
     *
     * @param answered type of the token in the message
     * @return the user as it is now; to be confirmed by the caller
     */
    public User prepareConfirmation(CallContext context, AuthSession db, User found, Type answered) {
        if (found.isConfirmed()) {
            return found;
        }
        User user = locked(db, found);
        if (user.isConfirmed()) {
            return user;
        }
        Optional<Attempt> attempt = Attempt.read(db, user.id());
        boolean byServer = attempt.map(Attempt::standing).orElse(Standing.MADE_BY_SERVER) == Standing.MADE_BY_SERVER;
        boolean belongs = answered == Type.CONFIRMATION
                && attempt.map(pending -> isKept(context, pending)).orElse(true);
        if (!belongs && byServer) {
            withoutPassword(db, user);
        } else if (!belongs) {
            restart(db, user, blank(user));
        }
        new OneTimeTokens(db).deleteOf(user.id());
        return new Users(db).byId(user.id()).orElseThrow();
    }

    private static boolean isKept(CallContext context, Attempt pending) {
        return switch (pending.standing()) {
            case SOLE -> true;
            case CONTESTED -> pending.isFrom(context.network());
            case MADE_BY_SERVER -> false;
        };
    }

    private static void withoutPassword(AuthSession db, User user) {
        new Sessions(db).deleteOf(user.id(), Optional.empty());
        new FactorRows(db).deleteOf(user.id());
        if (user.passwordHash().isPresent()) {
            new Users(db).update(user.id(), new UserUpdate().withoutPassword());
        }
    }

    private NewUser blank(User user) {
        var nothing = JsonNodeFactory.instance.objectNode();
        return user.email()
                .map(email -> NewUser.withEmail(email, Optional.empty(), nothing, false, clock.instant()))
                .orElseGet(() -> NewUser.withPhone(
                        user.phone().orElseThrow(), Optional.empty(), nothing, false, clock.instant()));
    }

    /** Replaces all that the account holds; {@code app_metadata}, role and ban, which only the server writes, stay. */
    public void restart(AuthSession db, User user, NewUser wanted) {
        NewUser content = wanted.withId(user.id());
        new Sessions(db).deleteOf(user.id(), Optional.empty());
        new FactorRows(db).deleteOf(user.id());
        new OneTimeTokens(db).deleteOf(user.id());
        var identities = new Identities(db);
        identities.deleteOf(user.id());
        content.identities()
                .forEach(identity ->
                        identities.insert(user.id(), identity.provider(), identity.subject(), identity.data()));
        UserUpdate update = new UserUpdate()
                .userMetadata(content.userMetadata())
                .appMetadata(Metadata.merged(user.appMetadata(), content.appMetadata()))
                .withoutEmailChange()
                .withoutPhoneChange()
                .time(UserTime.UPDATED, clock.instant());
        content.passwordHash().ifPresentOrElse(update::passwordHash, update::withoutPassword);
        if (content.phone().isEmpty()) {
            update.withoutPhone().without(UserTime.PHONE_CONFIRMED);
        }
        new Users(db).update(user.id(), update);
    }
}
