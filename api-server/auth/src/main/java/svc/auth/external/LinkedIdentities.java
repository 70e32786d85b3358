package svc.auth.external;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.model.UserJson;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Identities;
import svc.auth.rows.Users;
import svc.auth.session.Bearer;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.TransactionSteps.Outcome;

/** {@code DELETE /user/identities/{id}}: a user gives up one of the places that it is known by. */
public final class LinkedIdentities {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final AuthTransactions transactions;
    private final Clock clock;

    public LinkedIdentities(AuthTransactions transactions, Clock clock) {
        this.transactions = transactions;
        this.clock = clock;
    }

    /** @throws AuthError unless users of the project may link and unlink by themselves */
    public static void requireManualLinking(Tenant tenant) {
        if (!tenant.auth().manualLinking()) {
            throw AuthErrorCode.MANUAL_LINKING_DISABLED.error();
        }
    }

    public AuthAnswer unlink(AuthRequest request) {
        requireManualLinking(request.tenant());
        UUID id = AuthRequest.uuid(request.place(0))
                .orElseThrow(() -> AuthErrorCode.INVALID_ID_IN_PATH.error("identity_id must be an UUID"));
        return transactions.run(request.tenant(), rows -> {
            Bearer bearer = Bearer.of(request, rows, clock);
            // Two at once would each leave the other's identity, and the user none.
            new Users(rows).lock(bearer.id());
            unlinked(
                    rows,
                    new Users(rows).byId(bearer.id()).orElseThrow(AuthErrorCode.USER_OF_TOKEN_NOT_FOUND::error),
                    id);
            return new Outcome<>(AuthAnswer.ok(JSON.objectNode()), true);
        });
    }

    private void unlinked(AuthSession rows, JsonNode user, UUID id) {
        List<JsonNode> rest = new ArrayList<>();
        user.path("identities").forEach(rest::add);
        if (rest.size() <= 1) {
            throw AuthErrorCode.SINGLE_IDENTITY.error();
        }
        JsonNode gone = rest.stream()
                .filter(identity -> identity.path("id").asText().equals(id.toString()))
                .findFirst()
                .orElseThrow(() -> AuthErrorCode.IDENTITY_NOT_FOUND.error());
        rest.remove(gone);
        new Identities(rows).delete(id);
        ObjectNode columns = JSON.objectNode().put("updated_at", clock.instant().toString());
        if (gone.path("provider").asText().equals("phone")) {
            columns.putNull("phone").putNull("phone_confirmed_at");
        } else {
            address(rows, user, rest, columns);
        }
        var users = new Users(rows);
        UUID userId = UUID.fromString(user.path("id").asText());
        columns.set(
                "raw_app_meta_data",
                ExternalAccounts.providers(users.byId(userId).orElseThrow()));
        users.update(userId, columns);
        new AuditLog(rows).record(AuditLog.Action.IDENTITY_UNLINKED, user);
    }

    /** An address that came with the identity goes with it; the account is then called by one that is left. */
    private static void address(AuthSession rows, JsonNode user, List<JsonNode> rest, ObjectNode columns) {
        String present = UserJson.text(user, "email");
        if (present.isEmpty() || rest.stream().anyMatch(identity -> has(identity, present))) {
            return;
        }
        Optional<String> next = rest.stream()
                .sorted(Comparator.comparing((JsonNode identity) ->
                        !identity.path("provider").asText().equals("email")))
                .filter(identity ->
                        identity.path("identity_data").path("email_verified").asBoolean(false))
                .map(identity -> UserJson.text(identity, "email"))
                .filter(email -> !email.isEmpty())
                .findFirst();
        if (next.isEmpty()) {
            columns.putNull("email").putNull("email_confirmed_at");
            return;
        }
        if (new Users(rows).byEmail(next.get()).isPresent()) {
            throw AuthErrorCode.EMAIL_CONFLICT_OF_IDENTITY.error();
        }
        columns.put("email", next.get());
    }

    private static boolean has(JsonNode identity, String email) {
        return UserJson.text(identity, "email").equals(email);
    }
}
