package svc.auth.otp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.UUID;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.model.Metadata;
import svc.auth.model.UserJson;
import svc.auth.rows.AuthSession;
import svc.auth.rows.Identities;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.Users;

/** What becomes of a user whose address has been proved. */
public final class EmailConfirmation {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private EmailConfirmation() {}

    public static boolean isConfirmed(JsonNode user) {
        return !UserJson.text(user, "email_confirmed_at").isEmpty();
    }

    /** The address that the user has counts as the user's. */
    public static void confirm(AuthSession rows, JsonNode user, Instant now) {
        UUID id = UUID.fromString(user.path("id").asText());
        ObjectNode verified = JSON.objectNode().put("email_verified", true);
        if (UserJson.hasIdentity(user, "email")) {
            new Identities(rows).update(id, "email", verified);
        }
        ObjectNode columns = JSON.objectNode().put("email_confirmed_at", now.toString());
        columns.set("raw_user_meta_data", Metadata.merged(user.path("raw_user_meta_data"), verified));
        new Users(rows).update(id, columns.put("updated_at", now.toString()));
    }

    /**
     * To another address; somebody unknown becomes somebody. Tokens that were sent to the one before prove nothing any more.
     *
     * @return the columns of the user that change thereby
     * @throws AuthError when somebody else has the address
     */
    public static ObjectNode move(AuthSession rows, JsonNode user, String email, Instant now) {
        UUID id = UUID.fromString(user.path("id").asText());
        requireFree(rows, id, email);
        new OneTimeTokens(rows).deleteOf(id);
        ObjectNode columns = JSON.objectNode();
        columns.put("email", email);
        columns.put("email_confirmed_at", now.toString());
        columns.put("email_change", "").put("email_change_confirm_status", 0);
        ObjectNode identity = JSON.objectNode();
        identity.put("sub", id.toString()).put("email", email).put("email_verified", true);
        if (UserJson.hasIdentity(user, "email")) {
            new Identities(rows).update(id, "email", identity);
            return columns;
        }
        new Identities(rows).insert(id, "email", id.toString(), identity);
        columns.put("is_anonymous", false);
        ObjectNode providers = Metadata.merged(user.path("raw_app_meta_data"), JSON.objectNode());
        ArrayNode all = providers.withArray("providers").add("email");
        if (all.size() == 1) {
            providers.put("provider", "email");
        }
        columns.set("raw_app_meta_data", providers);
        return columns;
    }

    public static void requireFree(AuthSession rows, UUID user, String email) {
        if (new Users(rows)
                .byEmail(email)
                .filter(other -> !other.path("id").asText().equals(user.toString()))
                .isPresent()) {
            throw AuthErrorCode.EMAIL_EXISTS.error();
        }
    }
}
