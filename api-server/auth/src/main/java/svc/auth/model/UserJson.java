package svc.auth.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A user as clients see it, from its row: GoTrue's names, and no secret. Members without a value are left out. */
public final class UserJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private UserJson() {}

    public static ObjectNode of(JsonNode row) {
        ObjectNode user = JSON.objectNode();
        user.put("id", row.path("id").asText());
        user.put("aud", text(row, "aud"));
        user.put("role", text(row, "role"));
        user.put("email", text(row, "email"));
        times(row, user, "email_confirmed_at", "invited_at");
        // Clients test it for truth: never absent.
        user.put("phone", text(row, "phone"));
        times(row, user, "phone_confirmed_at", "confirmation_sent_at", "confirmed_at", "recovery_sent_at");
        pending(row, user, "email_change", "new_email", "email_change_sent_at");
        pending(row, user, "phone_change", "new_phone", "phone_change_sent_at");
        times(row, user, "reauthentication_sent_at", "last_sign_in_at");
        user.set("app_metadata", object(row.path("raw_app_meta_data")));
        user.set("user_metadata", object(row.path("raw_user_meta_data")));
        ArrayNode factors = JSON.arrayNode();
        row.path("factors").forEach(factor -> factors.add(factor(factor)));
        if (!factors.isEmpty()) {
            user.set("factors", factors);
        }
        ArrayNode identities = user.putArray("identities");
        row.path("identities").forEach(identity -> identities.add(identity(identity)));
        times(row, user, "created_at", "updated_at", "banned_until", "deleted_at");
        user.put("is_anonymous", row.path("is_anonymous").asBoolean());
        return user;
    }

    /** Whether the user is known by an identity of that provider. */
    public static boolean hasIdentity(JsonNode row, String provider) {
        for (JsonNode identity : row.path("identities")) {
            if (identity.path("provider").asText().equals(provider)) {
                return true;
            }
        }
        return false;
    }

    private static ObjectNode identity(JsonNode row) {
        ObjectNode identity = JSON.objectNode();
        identity.put("identity_id", row.path("id").asText());
        identity.put("id", row.path("provider_id").asText());
        identity.put("user_id", row.path("user_id").asText());
        identity.set("identity_data", object(row.path("identity_data")));
        identity.put("provider", row.path("provider").asText());
        times(row, identity, "last_sign_in_at", "created_at", "updated_at");
        if (row.path("email").isTextual()) {
            identity.put("email", row.path("email").asText());
        }
        return identity;
    }

    /** A second factor as clients see it. */
    public static ObjectNode factor(JsonNode row) {
        ObjectNode factor = JSON.objectNode();
        for (String name : List.of("id", "friendly_name", "factor_type", "status", "phone")) {
            if (row.path(name).isTextual()) {
                factor.put(name, row.path(name).asText());
            }
        }
        times(row, factor, "created_at", "updated_at", "last_challenged_at");
        return factor;
    }

    private static void pending(JsonNode row, ObjectNode user, String column, String name, String sent) {
        if (!text(row, column).isEmpty()) {
            user.put(name, text(row, column));
        }
        times(row, user, sent);
    }

    /** PostgreSQL writes the zone of UTC as an offset; clients compare with Z. */
    private static void times(JsonNode row, ObjectNode into, String... names) {
        for (String name : names) {
            String time = text(row, name);
            if (!time.isEmpty()) {
                into.put(name, time.endsWith("+00:00") ? time.substring(0, time.length() - 6) + "Z" : time);
            }
        }
    }

    public static String text(JsonNode row, String name) {
        return row.path(name).isTextual() ? row.path(name).textValue() : "";
    }

    private static JsonNode object(JsonNode value) {
        return value.isObject() ? value : JSON.objectNode();
    }
}
