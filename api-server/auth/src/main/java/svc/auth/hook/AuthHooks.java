package svc.auth.hook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import svc.auth.http.AuthError;
import svc.auth.model.User;
import svc.auth.model.UserJson;
import svc.crds.project.auth.HookSpec;
import svc.platform.egress.EgressClient;
import svc.platform.json.ForeignJson;
import svc.platform.secret.ProjectSecrets;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.TenantTransactions;

/**
 * Calls the hooks of a project ({@code spec.auth.hooks}) with GoTrue's payloads. Without a hook each method does nothing.
 *
 * <p>Hazard: an answer can take seconds, so none may be called inside of a transaction. The exceptions are sendEmail and the
 * sendSms of a change of number, as the last step: the transaction is rolled back when the message is not sent.
 */
public final class AuthHooks {
    private static final ObjectMapper JSON = ForeignJson.mapper();
    private static final int MAX_MESSAGE_CHARACTERS = 1000;

    /** Clients and row security need these claims; a hook that omits one does not remove it. */
    private static final List<String> REQUIRED =
            List.of("iss", "aud", "exp", "iat", "sub", "email", "phone", "role", "aal", "session_id", "is_anonymous");

    private final HookFunctions functions;
    private final HookCalls calls;
    private final Clock clock;

    public AuthHooks(
            TenantTransactions transactions,
            EgressClient egress,
            ProjectSecrets secrets,
            HookLimits limits,
            Clock clock) {
        this.functions = new HookFunctions(transactions, limits);
        this.calls = new HookCalls(egress, secrets, limits, clock);
        this.clock = clock;
    }

    /** How a message was delivered. */
    public enum Delivery {
        BY_HOOK,
        NO_HOOK
    }

    /** The project's decision on a checked password or factor. */
    public sealed interface Verdict {
        record Continue() implements Verdict {}

        /**
         * @param message for the user
         * @param endSessions whether the user's sessions are to end
         */
        record Reject(String message, boolean endSessions) implements Verdict {}
    }

    /** Whether the project has a hook before users are created. */
    public boolean decidesOnUsers(Tenant tenant) {
        return HookPoint.BEFORE_USER_CREATED.of(tenant.auth()).isPresent();
    }

    /** Whether the project has a hook on the claims of tokens. */
    public boolean decidesOnTokens(Tenant tenant) {
        return HookPoint.CUSTOM_ACCESS_TOKEN.of(tenant.auth()).isPresent();
    }

    /**
     * Before a user is created.
     *
     * @throws AuthError when the project refuses
     */
    public void beforeUserCreated(Tenant tenant, User user) {
        ObjectNode payload = JSON.createObjectNode();
        payload.putObject("metadata")
                .put("uuid", UUID.randomUUID().toString())
                .put("time", clock.instant().toString())
                .put("name", HookPoint.BEFORE_USER_CREATED.word());
        payload.set("user", UserJson.of(user));
        ask(tenant, HookPoint.BEFORE_USER_CREATED, payload);
    }

    /**
     * The claims of an access token.
     *
     * @param claims without the hook
     * @param method of the sign-in, or {@code token_refresh}
     */
    public ObjectNode customAccessToken(Tenant tenant, ObjectNode claims, String method) {
        HookPoint point = HookPoint.CUSTOM_ACCESS_TOKEN;
        if (point.of(tenant.auth()).isEmpty()) {
            return claims;
        }
        ObjectNode payload = JSON.createObjectNode();
        payload.set("user_id", claims.path("sub"));
        payload.set("claims", claims.deepCopy());
        payload.put("authentication_method", method);
        ObjectNode answer = ask(tenant, point, payload).orElseGet(JSON::createObjectNode);
        if (!(answer.path("claims") instanceof ObjectNode changed)) {
            throw HookFault.broken(point, "must answer with an object \"claims\"");
        }
        for (String name : REQUIRED) {
            JsonNode given = changed.path(name);
            if (given.isMissingNode() || given.isNull()) {
                changed.set(name, claims.path(name));
            } else if (given.getNodeType() != claims.path(name).getNodeType()) {
                throw HookFault.broken(
                        point,
                        "made the claim " + name + " a "
                                + given.getNodeType().toString().toLowerCase(Locale.ROOT));
            }
        }
        return changed;
    }

    /**
     * Sends a mail.
     *
     * @param email GoTrue's {@code email_data}: token, token_hash, redirect_to, email_action_type, site_url and so on
     */
    public Delivery sendEmail(Tenant tenant, User user, ObjectNode email) {
        ObjectNode payload = JSON.createObjectNode();
        payload.set("user", UserJson.of(user));
        payload.set("email_data", email);
        return delivered(tenant, HookPoint.SEND_EMAIL, payload);
    }

    /**
     * Sends an SMS.
     *
     * @param phone E.164 without the plus
     * @param otp the one-time password
     */
    public Delivery sendSms(Tenant tenant, User user, String phone, String otp) {
        ObjectNode payload = JSON.createObjectNode();
        payload.set("user", UserJson.of(user));
        payload.putObject("sms").put("otp", otp).put("phone", phone);
        return delivered(tenant, HookPoint.SEND_SMS, payload);
    }

    private Delivery delivered(Tenant tenant, HookPoint point, ObjectNode payload) {
        if (point.of(tenant.auth()).isEmpty()) {
            return Delivery.NO_HOOK;
        }
        ask(tenant, point, payload);
        return Delivery.BY_HOOK;
    }

    /** @param valid whether the password was the user's */
    public Verdict passwordVerification(Tenant tenant, UUID user, boolean valid) {
        ObjectNode payload = JSON.createObjectNode();
        payload.put("user_id", user.toString()).put("valid", valid);
        return verdict(
                tenant,
                HookPoint.PASSWORD_VERIFICATION,
                payload,
                "Further password verification attempts will be rejected.");
    }

    /**
     * @param type {@code totp} or {@code phone}
     * @param valid whether the code was right
     */
    public Verdict mfaVerification(Tenant tenant, UUID user, UUID factor, String type, boolean valid) {
        ObjectNode payload = JSON.createObjectNode();
        payload.put("factor_id", factor.toString())
                .put("factor_type", type)
                .put("user_id", user.toString())
                .put("valid", valid);
        return verdict(
                tenant, HookPoint.MFA_VERIFICATION, payload, "Further MFA verification attempts will be rejected.");
    }

    private Verdict verdict(Tenant tenant, HookPoint point, ObjectNode payload, String message) {
        if (point.of(tenant.auth()).isEmpty()) {
            return new Verdict.Continue();
        }
        ObjectNode answer = ask(tenant, point, payload).orElseGet(JSON::createObjectNode);
        return switch (answer.path("decision").asText()) {
            case "continue" -> new Verdict.Continue();
            case "reject" ->
                new Verdict.Reject(
                        message(answer.path("message")).orElse(message),
                        answer.path("should_logout_user").asBoolean(false));
            default -> throw HookFault.broken(point, "must answer with \"decision\": \"continue\" or \"reject\"");
        };
    }

    /** The hook's answer; empty without a hook, and for an answer without a body. */
    private Optional<ObjectNode> ask(Tenant tenant, HookPoint point, ObjectNode payload) {
        Optional<HookSpec> hook = point.of(tenant.auth());
        if (hook.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> text = hook.get().function() != null
                ? functions.call(tenant, point, hook.get().function(), payload.toString())
                : calls.call(tenant, point, hook.get(), payload.toString());
        Optional<ObjectNode> answer = text.map(json -> object(point, json));
        answer.ifPresent(AuthHooks::requireConsent);
        return answer;
    }

    private static ObjectNode object(HookPoint point, String json) {
        try {
            if (JSON.readTree(json) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            throw HookFault.broken(point, "did not answer with JSON: " + e.getOriginalMessage());
        }
        throw HookFault.broken(point, "did not answer with a JSON object");
    }

    /** @throws AuthError for {@code {"error": {"http_code": 403, "message": "…"}}} */
    private static void requireConsent(ObjectNode answer) {
        JsonNode error = answer.path("error");
        if (!error.isObject() || error.isEmpty()) {
            return;
        }
        int code = error.path("http_code").asInt(500);
        int status = code >= 400 && code <= 599 ? code : 500;
        throw AuthError.refusedByHook(status, message(error.path("message")).orElse("A hook of the project refused"));
    }

    private static Optional<String> message(JsonNode message) {
        return Optional.of(message.asText(""))
                .filter(text -> !text.isBlank())
                .map(text -> text.length() > MAX_MESSAGE_CHARACTERS ? text.substring(0, MAX_MESSAGE_CHARACTERS) : text);
    }
}
