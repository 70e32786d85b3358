package svc.auth.rows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import svc.auth.model.Factor;
import svc.auth.model.FactorChallenge;
import svc.auth.model.Identity;
import svc.auth.model.Session;
import svc.auth.model.Timestamp;
import svc.auth.model.User;
import svc.auth.model.User.PendingChange;
import svc.auth.model.UserTime;

/** Maps rows, as JSON by their columns' names, to the records of the model. The only place that names these columns. Pure. */
public final class RowMapper {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private RowMapper() {}

    /** @param row with the members {@code identities} and {@code factors} */
    public static User user(JsonNode row) {
        return new User(
                id(row, "id"),
                text(row, "aud").orElse(""),
                text(row, "role").orElse(""),
                text(row, "email"),
                text(row, "phone"),
                text(row, "encrypted_password"),
                new PendingChange(
                        text(row, "email_change"),
                        row.path("email_change_confirm_status").asInt(),
                        text(row, "phone_change")),
                times(row),
                object(row, "raw_app_meta_data"),
                object(row, "raw_user_meta_data"),
                list(row.path("identities"), RowMapper::identity),
                list(row.path("factors"), RowMapper::factor),
                row.path("is_anonymous").asBoolean());
    }

    private static Map<UserTime, Timestamp> times(JsonNode row) {
        Map<UserTime, Timestamp> times = new EnumMap<>(UserTime.class);
        for (UserTime time : UserTime.values()) {
            time(row, time.column()).ifPresent(at -> times.put(time, at));
        }
        return times;
    }

    static Identity identity(JsonNode row) {
        return new Identity(
                id(row, "id"),
                id(row, "user_id"),
                row.path("provider").asText(),
                row.path("provider_id").asText(),
                object(row, "identity_data"),
                Optional.ofNullable(row.path("email").textValue()),
                time(row, "last_sign_in_at"),
                time(row, "created_at"),
                time(row, "updated_at"));
    }

    static Factor factor(JsonNode row) {
        String type = row.path("factor_type").asText();
        return new Factor(
                id(row, "id"),
                Optional.ofNullable(row.path("friendly_name").textValue()),
                Factor.Type.of(type).orElseThrow(() -> new IllegalStateException("a factor of the type " + type)),
                row.path("status").asText().equals("verified"),
                Optional.ofNullable(row.path("phone").textValue()),
                text(row, "secret"),
                time(row, "created_at"),
                time(row, "updated_at"),
                time(row, "last_challenged_at"));
    }

    static FactorChallenge challenge(JsonNode row) {
        JsonNode step = row.path("last_step");
        return new FactorChallenge(
                !row.path("verified_at").isNull(),
                row.path("same_address").asBoolean(),
                time(row, "created_at").orElseThrow(),
                text(row, "otp_code"),
                step.isNumber() ? OptionalLong.of(step.longValue()) : OptionalLong.empty());
    }

    /** @param row with the member {@code amr}, or without it where no token is issued */
    static Session session(JsonNode row) {
        return new Session(
                id(row, "id"),
                id(row, "user_id"),
                text(row, "aal").orElse(Session.AAL1),
                list(
                        row.path("amr"),
                        method -> new Session.Method(
                                method.path("method").asText(),
                                method.path("timestamp").asLong())),
                row.path("refresh_token_counter").longValue(),
                time(row, "created_at").orElse(new Timestamp("-infinity")),
                time(row, "refreshed_at"));
    }

    private static UUID id(JsonNode row, String name) {
        return UUID.fromString(row.path(name).asText());
    }

    /** Empty for null and for an empty text. */
    private static Optional<String> text(JsonNode row, String name) {
        return Optional.ofNullable(row.path(name).textValue()).filter(text -> !text.isEmpty());
    }

    private static Optional<Timestamp> time(JsonNode row, String name) {
        return text(row, name).map(Timestamp::new);
    }

    private static ObjectNode object(JsonNode row, String name) {
        return row.path(name) instanceof ObjectNode object ? object : JSON.objectNode();
    }

    private static <T> List<T> list(JsonNode rows, Function<JsonNode, T> mapping) {
        List<T> list = new ArrayList<>();
        rows.forEach(row -> list.add(mapping.apply(row)));
        return list;
    }
}
