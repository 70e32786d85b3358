package svc.auth.otp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.UUID;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.model.Metadata;
import svc.auth.model.User;
import svc.auth.model.UserTime;
import svc.auth.rows.AuthSession;
import svc.auth.rows.Identities;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.UserUpdate;
import svc.auth.rows.Users;

/** Writes the confirmation of an address, and the move to another one. */
public final class EmailConfirmation {
    private static final String EMAIL = "email";

    private EmailConfirmation() {}

    /** Confirms the user's present address. */
    static void confirm(AuthSession db, User user, Instant now) {
        ObjectNode verified = JsonNodeFactory.instance.objectNode().put("email_verified", true);
        if (user.hasIdentity(EMAIL)) {
            new Identities(db).update(user.id(), EMAIL, verified);
        }
        new Users(db)
                .update(
                        user.id(),
                        new UserUpdate()
                                .time(UserTime.EMAIL_CONFIRMED, now)
                                .userMetadata(Metadata.merged(user.userMetadata(), verified))
                                .time(UserTime.UPDATED, now));
    }

    /**
     * Moves a user to a confirmed address; an anonymous user becomes a permanent one. Tokens that were sent to the address
     * before are invalidated.
     *
     * @return the columns of the user to update
     * @throws AuthError when another user has the address
     */
    public static UserUpdate move(AuthSession db, User user, String email, Instant now) {
        UUID id = user.id();
        requireFree(db, id, email);
        new OneTimeTokens(db).deleteOf(id);
        UserUpdate update = new UserUpdate()
                .email(email)
                .time(UserTime.EMAIL_CONFIRMED, now)
                .withoutEmailChange();
        ObjectNode own = Metadata.moved(user.userMetadata(), user.email(), email);
        if (!own.equals(user.userMetadata())) {
            update.userMetadata(own);
        }
        if (user.anonymous()) {
            update.anonymous(false);
        }
        ObjectNode identity = JsonNodeFactory.instance.objectNode();
        identity.put("sub", id.toString()).put(EMAIL, email).put("email_verified", true);
        if (user.hasIdentity(EMAIL)) {
            new Identities(db).update(id, EMAIL, identity);
            return update;
        }
        new Identities(db).insert(id, EMAIL, id.toString(), identity);
        return update.appMetadata(Metadata.withProvider(user.appMetadata(), EMAIL));
    }

    /** @throws AuthError when another user has the address */
    public static void requireFree(AuthSession db, UUID user, String email) {
        if (new Users(db)
                .byEmail(email)
                .filter(other -> !other.id().equals(user))
                .isPresent()) {
            throw AuthErrorCode.EMAIL_EXISTS.error();
        }
    }
}
