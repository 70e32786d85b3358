package svc.auth.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import svc.auth.model.UserJson;
import svc.auth.rows.AuthSession;
import svc.auth.rows.Identities;
import svc.auth.rows.Users;

/**
 * A user who is about to exist.
 *
 * @param email in lower case
 * @param phone without a plus
 * @param hash of the password
 * @param confirmed what counts as the user's
 * @param anonymous whether nothing is known of the user
 */
public record NewUser(
        UUID id,
        Optional<String> email,
        Optional<String> phone,
        Optional<String> hash,
        ObjectNode metadata,
        ObjectNode appMetadata,
        Confirmed confirmed,
        boolean anonymous,
        Instant now) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Whether the address and the number count as the user's. */
    public record Confirmed(boolean email, boolean phone) {
        public static final Confirmed NOTHING = new Confirmed(false, false);
    }

    /** Writes it with its identities, and gives the row. */
    public JsonNode insert(AuthSession rows, String role) {
        var users = new Users(rows);
        users.insert(columns(role));
        var identities = new Identities(rows);
        email.ifPresent(address -> identities.insert(id, "email", id.toString(), identity("email", address)));
        phone.ifPresent(number -> identities.insert(id, "phone", id.toString(), identity("phone", number)));
        return users.byId(id).orElseThrow();
    }

    /** As clients would see it, for those who are asked before it is made. */
    public ObjectNode view() {
        return UserJson.of(columns("authenticated"));
    }

    private ObjectNode columns(String role) {
        ObjectNode row = JSON.objectNode();
        row.put("id", id.toString());
        row.put("aud", "authenticated");
        row.put("role", role);
        email.ifPresent(address -> row.put("email", address));
        phone.ifPresent(number -> row.put("phone", number));
        hash.ifPresent(text -> row.put("encrypted_password", text));
        if (confirmed.email() && email.isPresent()) {
            row.put("email_confirmed_at", now.toString());
        }
        if (confirmed.phone() && phone.isPresent()) {
            row.put("phone_confirmed_at", now.toString());
        }
        row.set("raw_app_meta_data", providers());
        row.set("raw_user_meta_data", profile());
        row.put("is_anonymous", anonymous);
        row.put("created_at", now.toString());
        row.put("updated_at", now.toString());
        return row;
    }

    private ObjectNode providers() {
        ObjectNode known = appMetadata.deepCopy();
        if (email.isPresent() || phone.isPresent()) {
            known.put("provider", email.isPresent() ? "email" : "phone");
            var all = known.putArray("providers");
            email.ifPresent(address -> all.add("email"));
            phone.ifPresent(number -> all.add("phone"));
        }
        return known;
    }

    /** Supabase repeats what the identity says here, and templates and policies read it. */
    private ObjectNode profile() {
        ObjectNode profile = metadata.deepCopy();
        email.ifPresent(address -> profile.setAll(identity("email", address)));
        return profile;
    }

    private ObjectNode identity(String kind, String value) {
        ObjectNode data = metadata.deepCopy();
        data.put("sub", id.toString());
        data.put(kind, value);
        data.put("email_verified", confirmed.email() && kind.equals("email"));
        data.put("phone_verified", confirmed.phone() && kind.equals("phone"));
        return data;
    }
}
