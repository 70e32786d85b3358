package svc.auth.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** The JSON of users and factors in answers and hooks: GoTrue's names and order, without secrets, absent values left out. */
public final class UserJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private UserJson() {}

    public static ObjectNode of(User user) {
        ObjectNode json = JSON.objectNode();
        json.put("id", user.id().toString());
        json.put("aud", user.audience());
        json.put("role", user.role());
        json.put("email", user.email().orElse(""));
        times(user, json, UserTime.EMAIL_CONFIRMED, UserTime.INVITED);
        // Clients test it for truth: never absent.
        json.put("phone", user.phone().orElse(""));
        times(
                user,
                json,
                UserTime.PHONE_CONFIRMED,
                UserTime.CONFIRMATION_SENT,
                UserTime.CONFIRMED,
                UserTime.RECOVERY_SENT);
        user.pending().email().ifPresent(to -> json.put("new_email", to));
        times(user, json, UserTime.EMAIL_CHANGE_SENT);
        user.pending().phone().ifPresent(to -> json.put("new_phone", to));
        times(user, json, UserTime.PHONE_CHANGE_SENT, UserTime.REAUTHENTICATION_SENT, UserTime.LAST_SIGN_IN);
        json.set("app_metadata", user.appMetadata());
        json.set("user_metadata", user.userMetadata());
        if (!user.factors().isEmpty()) {
            json.set("factors", of(user.factors()));
        }
        ArrayNode identities = json.putArray("identities");
        user.identities().forEach(identity -> identities.add(of(identity)));
        times(user, json, UserTime.CREATED, UserTime.UPDATED, UserTime.BANNED_UNTIL, UserTime.DELETED);
        json.put("is_anonymous", user.anonymous());
        return json;
    }

    private static ObjectNode of(Identity identity) {
        ObjectNode json = JSON.objectNode();
        json.put("identity_id", identity.id().toString());
        json.put("id", identity.subject());
        json.put("user_id", identity.userId().toString());
        json.set("identity_data", identity.data());
        json.put("provider", identity.provider());
        time(json, "last_sign_in_at", identity.lastSignIn());
        time(json, "created_at", identity.created());
        time(json, "updated_at", identity.updated());
        identity.email().ifPresent(email -> json.put("email", email));
        return json;
    }

    public static ArrayNode of(List<Factor> factors) {
        ArrayNode json = JSON.arrayNode();
        factors.forEach(factor -> json.add(of(factor)));
        return json;
    }

    public static ObjectNode of(Factor factor) {
        ObjectNode json = JSON.objectNode();
        json.put("id", factor.id().toString());
        factor.friendlyName().ifPresent(name -> json.put("friendly_name", name));
        json.put("factor_type", factor.type().word());
        json.put("status", factor.verified() ? "verified" : "unverified");
        factor.phone().ifPresent(phone -> json.put("phone", phone));
        time(json, "created_at", factor.created());
        time(json, "updated_at", factor.updated());
        time(json, "last_challenged_at", factor.lastChallenged());
        return json;
    }

    private static void times(User user, ObjectNode json, UserTime... times) {
        for (UserTime time : times) {
            time(json, time.column(), user.time(time));
        }
    }

    private static void time(ObjectNode json, String name, Optional<Timestamp> time) {
        time.ifPresent(at -> json.put(name, at.json()));
    }
}
