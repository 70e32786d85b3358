package svc.auth.external;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.model.Identity;
import svc.auth.model.Metadata;
import svc.auth.model.User;
import svc.auth.model.UserTime;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Identities;
import svc.auth.rows.UserUpdate;
import svc.auth.rows.Users;
import svc.auth.session.Bearer;
import svc.platform.tenancy.Tenant;

/** {@code DELETE /user/identities/{id}}: unlinks an identity of the current user. */
final class LinkedIdentities {
    private final AuthTransactions transactions;
    private final Clock clock;

    LinkedIdentities(AuthTransactions transactions, Clock clock) {
        this.transactions = transactions;
        this.clock = clock;
    }

    /** @throws AuthError unless the project lets users link and unlink identities */
    static void requireManualLinking(Tenant tenant) {
        if (!tenant.auth().manualLinking()) {
            throw AuthErrorCode.MANUAL_LINKING_DISABLED.error();
        }
    }

    AuthResponse unlink(AuthRequest call) {
        requireManualLinking(call.tenant());
        UUID id = call.pathId(0, "identity_id");
        CallContext context = call.context();
        return transactions.run(context.tenant(), db -> {
            UUID userId = Bearer.of(context, db, clock).userId();
            var users = new Users(db);
            // Without the lock two concurrent calls could delete the last two identities.
            users.lock(userId);
            unlink(db, users.byId(userId).orElseThrow(AuthErrorCode.USER_OF_TOKEN_NOT_FOUND::error), id);
            return AuthResponse.empty();
        });
    }

    private void unlink(AuthSession db, User user, UUID id) {
        if (user.identities().size() <= 1) {
            throw AuthErrorCode.SINGLE_IDENTITY.error();
        }
        Identity deleted = user.identities().stream()
                .filter(identity -> identity.id().equals(id))
                .findFirst()
                .orElseThrow(AuthErrorCode.IDENTITY_NOT_FOUND::error);
        List<Identity> rest = user.identities().stream()
                .filter(identity -> !identity.id().equals(id))
                .toList();
        new Identities(db).delete(id);
        UserUpdate update = new UserUpdate().time(UserTime.UPDATED, clock.instant());
        if (deleted.provider().equals("phone")) {
            update.withoutPhone().without(UserTime.PHONE_CONFIRMED);
        } else {
            chooseEmail(db, user, rest, update);
        }
        var users = new Users(db);
        update.appMetadata(ExternalAccounts.withProviders(users.byId(user.id()).orElseThrow()));
        users.update(user.id(), update);
        new AuditLog(db).record(AuditLog.Action.IDENTITY_UNLINKED, user);
    }

    /** An address that no remaining identity has is replaced by a verified one of theirs, or removed. */
    private static void chooseEmail(AuthSession db, User user, List<Identity> rest, UserUpdate update) {
        if (user.email().isEmpty()
                || rest.stream().anyMatch(identity -> identity.email().equals(user.email()))) {
            return;
        }
        Optional<String> next = rest.stream()
                .sorted(Comparator.comparing(
                        (Identity identity) -> !identity.provider().equals("email")))
                .filter(Identity::emailVerified)
                .flatMap(identity -> identity.email().stream())
                .filter(email -> !email.isEmpty())
                .findFirst();
        if (next.isEmpty()) {
            update.withoutEmail().without(UserTime.EMAIL_CONFIRMED);
            return;
        }
        if (new Users(db).byEmail(next.get()).isPresent()) {
            throw AuthErrorCode.EMAIL_CONFLICT_OF_IDENTITY.error();
        }
        update.email(next.get());
        ObjectNode own = Metadata.moved(user.userMetadata(), user.email(), next.get());
        if (!own.equals(user.userMetadata())) {
            update.userMetadata(own);
        }
    }
}
