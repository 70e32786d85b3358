package svc.management.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Map;
import java.util.TreeMap;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** The fields {@code hook_…} of Supabase's auth settings, and the hooks of the spec. Pure. */
final class AuthHooks {
    /** By the members of the spec. */
    private static final Map<String, String> HOOKS = new TreeMap<>(Map.of(
            "before_user_created", "beforeUserCreated",
            "custom_access_token", "customAccessToken",
            "send_email", "sendEmail",
            "send_sms", "sendSms",
            "password_verification_attempt", "passwordVerification",
            "mfa_verification_attempt", "mfaVerification"));

    private static final Pattern FIELD =
            Pattern.compile("hook_(" + String.join("|", HOOKS.keySet()) + ")_(enabled|uri|secrets)");
    private static final Pattern FUNCTION = Pattern.compile("pg-functions://[^/]+/([^/]+)/([^/]+)");
    private static final String SECRET = "secretKeyRef";

    private AuthHooks() {}

    static boolean is(String field) {
        return FIELD.matcher(field).matches();
    }

    static void show(JsonNode auth, ObjectNode shown) {
        HOOKS.forEach((name, member) -> {
            JsonNode hook = auth.path("hooks").path(member);
            shown.put("hook_" + name + "_enabled", hook.isObject());
            if (hook.isObject()) {
                shown.put("hook_" + name + "_uri", uri(hook));
            }
        });
    }

    private static String uri(JsonNode hook) {
        String function = hook.path("function").asText("");
        int dot = function.indexOf('.');
        String schema = dot < 0 ? "public" : function.substring(0, dot);
        return function.isEmpty()
                ? hook.path("url").asText()
                : "pg-functions://postgres/" + schema + "/" + function.substring(dot + 1);
    }

    /** @param patch of the section */
    static void change(ObjectNode body, JsonNode auth, ObjectNode patch) {
        HOOKS.forEach((name, member) -> {
            String prefix = "hook_" + name + "_";
            if (body.has(prefix + "enabled") || body.has(prefix + "uri") || body.has(prefix + "secrets")) {
                boolean known = auth.path("hooks").path(member).isObject();
                ConfigTable.set(patch, "/hooks/" + member, hook(body, prefix, known));
            }
        });
    }

    private static JsonNode hook(ObjectNode body, String prefix, boolean known) {
        JsonNode enabled = body.path(prefix + "enabled");
        JsonNode uri = body.path(prefix + "uri");
        if (enabled.isBoolean() && !enabled.booleanValue() || uri.isNull()) {
            return body.nullNode();
        }
        if (!enabled.isMissingNode() && !enabled.isBoolean()) {
            throw refused(prefix + "enabled", "must be true or false");
        }
        if (uri.isMissingNode() && !known) {
            throw refused(prefix + "uri", "is missing");
        }
        ObjectNode hook = body.objectNode();
        if (uri.isTextual()) {
            Matcher function = FUNCTION.matcher(uri.textValue());
            boolean ofDatabase = function.matches();
            hook.put("function", ofDatabase ? function.group(1) + "." + function.group(2) : null);
            hook.put("url", ofDatabase ? null : uri.textValue());
            if (ofDatabase) {
                hook.putNull(SECRET);
                return hook;
            }
        } else if (!uri.isMissingNode()) {
            throw refused(prefix + "uri", "must be a string");
        }
        JsonNode secrets = body.path(prefix + "secrets");
        if (!secrets.isMissingNode()) {
            hook.set(SECRET, ConfigForm.SECRET.toSpec(secrets));
        }
        return hook;
    }

    private static ProblemException refused(String field, String why) {
        return Problem.of(ProblemCode.INVALID_BODY, "The field /" + field + " " + why + ".")
                .withError("/" + field, why)
                .asException();
    }
}
