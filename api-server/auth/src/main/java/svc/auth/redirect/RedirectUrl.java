package svc.auth.redirect;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;

/**
 * Addresses that a flow ends at, with what {@code auth-js} looks for in them: tokens in the fragment, which no server sees,
 * or a code in the query. A fragment that the place had makes way, for clients read all of it.
 */
public final class RedirectUrl {
    /** How OAuth calls a refusal of a status (RFC 6749, 4.1.2.1). */
    private static final Map<Integer, String> OAUTH = Map.of(
            400, "invalid_request",
            401, "unauthorized_client",
            403, "access_denied",
            503, "temporarily_unavailable");

    private RedirectUrl() {}

    /**
     * The end of an implicit flow.
     *
     * @param session as {@code POST /token} answers it; the user in it stays behind
     * @param more such as {@code type}, or the tokens of a provider
     */
    public static String withSession(String target, JsonNode session, Map<String, String> more) {
        Map<String, String> members = new TreeMap<>(more);
        for (String name : new String[] {"access_token", "expires_at", "expires_in", "refresh_token", "token_type"}) {
            members.put(name, session.path(name).asText());
        }
        members.put("sb", "");
        return bare(target) + "#" + Query.encoded(members);
    }

    /** A step of a flow that goes on elsewhere. */
    public static String withMessage(String target, String message) {
        return bare(target) + "#" + Query.encoded(new TreeMap<>(Map.of("message", message, "sb", "")));
    }

    /** The end of a flow with a challenge. */
    public static String withCode(String target, String code) {
        return Query.appended(bare(target), Map.of("code", code));
    }

    /** The end of a flow that came to nothing; the reason stands in the fragment, and in the query as well. */
    public static String withError(String target, AuthError error) {
        String word = OAUTH.getOrDefault(error.status(), error.status() < 500 ? "access_denied" : "server_error");
        return withError(target, word, error.code(), error.getMessage());
    }

    /**
     * The same, with a provider's own word.
     *
     * @param code one of the codes that Supabase documents
     */
    public static String withError(String target, String error, AuthErrorCode code, String description) {
        return withError(target, error, code.code(), description);
    }

    private static String withError(String target, String error, String code, String description) {
        Map<String, String> members = new TreeMap<>();
        members.put("error", error);
        members.put("error_code", code);
        members.put("error_description", description);
        String query = Query.appended(bare(target), members);
        members.put("sb", "");
        return query + "#" + Query.encoded(members);
    }

    private static String bare(String target) {
        return target.contains("#") ? target.substring(0, target.indexOf('#')) : target;
    }
}
