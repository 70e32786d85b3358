package svc.api.auth;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Optional;
import svc.api.auth.http.AuthAnswer;
import svc.api.auth.http.AuthError;
import svc.api.auth.http.AuthRequest;
import svc.api.auth.password.PasswordHashes;
import svc.api.auth.password.PasswordRules;
import svc.api.auth.rows.AuditLog;
import svc.api.auth.rows.AuthRows;
import svc.api.auth.rows.Identities;
import svc.api.auth.rows.Sessions;
import svc.api.auth.rows.Users;
import svc.api.db.TransactionSteps.Outcome;
import svc.crds.project.auth.PasswordSpec;

/** {@code GET} and {@code PUT /user}, {@code POST /logout}: what a signed-in user does with the own account. */
final class OwnUser {
    private final AuthTransactions transactions;
    private final PasswordHashes hashes;
    private final PasswordRules rules;
    private final Clock clock;

    OwnUser(AuthTransactions transactions, PasswordHashes hashes, PasswordRules rules, Clock clock) {
        this.transactions = transactions;
        this.hashes = hashes;
        this.rules = rules;
        this.clock = clock;
    }

    AuthAnswer get(AuthRequest request) {
        return AuthAnswer.ok(UserView.of(bearer(request).row()));
    }

    AuthAnswer update(AuthRequest request) {
        Optional<String> email = request.text("email").map(EmailAddress::of);
        Optional<String> password = request.text("password");
        Optional<ObjectNode> data = request.object("data");
        if (request.text("phone").isPresent()) {
            throw new AuthError(400, "phone_provider_disabled", "Phone signups are disabled");
        }
        if (request.body().has("app_metadata")) {
            throw AuthError.notAdmin();
        }
        Bearer bearer = bearer(request);
        if (email.isPresent() || password.isPresent()) {
            bearer.requireStrongEnough();
        }
        boolean moves = email.filter(to -> !to.equals(UserView.text(bearer.row(), "email")))
                .isPresent();
        if (moves && !request.tenant().auth().email().autoconfirm()) {
            throw Mail.none();
        }
        Optional<String> hash = password.map(text -> checked(request, bearer, text));
        return transactions.run(request.tenant(), rows -> {
            Bearer now = Bearer.of(request, rows, clock);
            ObjectNode columns = JsonNodeFactory.instance.objectNode();
            data.ifPresent(change ->
                    columns.set("raw_user_meta_data", Metadata.merged(now.row().path("raw_user_meta_data"), change)));
            hash.ifPresent(text -> columns.put("encrypted_password", text));
            if (moves) {
                move(rows, now, email.orElseThrow(), columns);
            }
            columns.put("updated_at", clock.instant().toString());
            var users = new Users(rows);
            users.update(now.id(), columns);
            if (hash.isPresent()) {
                // Whoever knew the old password is out.
                new Sessions(rows).deleteOf(now.id(), Optional.of(now.sessionId()));
                new AuditLog(rows).record(AuditLog.Action.USER_UPDATED_PASSWORD, now.row());
            }
            new AuditLog(rows).record(AuditLog.Action.USER_MODIFIED, now.row());
            return new Outcome<>(AuthAnswer.ok(UserView.of(users.byId(now.id()).orElseThrow())), true);
        });
    }

    /** The hash of a new password that may be set. */
    private String checked(AuthRequest request, Bearer bearer, String password) {
        PasswordSpec spec = request.tenant().auth().password();
        Optional<String> present =
                Optional.of(UserView.text(bearer.row(), "encrypted_password")).filter(text -> !text.isEmpty());
        if (spec.requireReauthentication()) {
            throw Mail.none();
        }
        if (spec.requireCurrent() && present.isPresent()) {
            String current = request.text("current_password")
                    .orElseThrow(() -> new AuthError(
                            400, "current_password_required", "Current password required when setting new password."));
            if (!hashes.matches(current, present)) {
                throw new AuthError(400, "current_password_invalid", "Current password is not valid.");
            }
        }
        rules.require(spec, password);
        if (present.isPresent() && hashes.matches(password, present)) {
            throw new AuthError(422, "same_password", "New password should be different from the old password.");
        }
        return hashes.hash(password);
    }

    /** To another address, which counts as the user's at once; somebody unknown becomes somebody. */
    private void move(AuthRows rows, Bearer user, String email, ObjectNode columns) {
        if (new Users(rows).byEmail(email).isPresent()) {
            throw AuthError.emailExists();
        }
        ObjectNode identity = JsonNodeFactory.instance.objectNode();
        identity.put("sub", user.id().toString()).put("email", email).put("email_verified", true);
        columns.put("email", email);
        columns.put("email_confirmed_at", clock.instant().toString());
        if (UserView.hasIdentity(user.row(), "email")) {
            new Identities(rows).update(user.id(), "email", identity);
            return;
        }
        new Identities(rows).insert(user.id(), "email", user.id().toString(), identity);
        columns.put("is_anonymous", false);
        ObjectNode providers =
                Metadata.merged(user.row().path("raw_app_meta_data"), JsonNodeFactory.instance.objectNode());
        ArrayNode all = providers.withArray("providers").add("email");
        if (all.size() == 1) {
            providers.put("provider", "email");
        }
        columns.set("raw_app_meta_data", providers);
    }

    AuthAnswer logout(AuthRequest request) {
        String scope = request.parameter("scope").orElse("global");
        return transactions.run(request.tenant(), rows -> {
            Bearer bearer = Bearer.of(request, rows, clock);
            var sessions = new Sessions(rows);
            switch (scope) {
                case "global" -> sessions.deleteOf(bearer.id(), Optional.empty());
                case "local" -> sessions.delete(bearer.sessionId());
                case "others" -> sessions.deleteOf(bearer.id(), Optional.of(bearer.sessionId()));
                default ->
                    throw AuthError.invalid("Unsupported logout scope \"" + scope + "\"; use global, local or others");
            }
            new AuditLog(rows).record(AuditLog.Action.LOGOUT, bearer.row());
            return new Outcome<>(AuthAnswer.nothing(), true);
        });
    }

    private Bearer bearer(AuthRequest request) {
        return transactions.run(request.tenant(), rows -> new Outcome<>(Bearer.of(request, rows, clock), true));
    }
}
