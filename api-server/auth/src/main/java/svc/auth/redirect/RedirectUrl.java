package svc.auth.redirect;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;

/**
 * The final redirects of flows, with the parameters that {@code auth-js} reads: tokens in the fragment, which no server sees,
 * or a code in the query. The target's own fragment is replaced, because clients parse the whole fragment.
 */
public final class RedirectUrl {
    /** OAuth's error codes by HTTP status (RFC 6749, 4.1.2.1). */
    private static final Map<Integer, String> OAUTH = Map.of(
            400, "invalid_request",
            401, "unauthorized_client",
            403, "access_denied",
            503, "temporarily_unavailable");

    private RedirectUrl() {}

    /**
     * The end of an implicit flow.
     *
     * @param session the answer of {@code POST /token}; its user is left out
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

    /** The first of two confirmations of a change of address. */
    public static String withMessage(String target, String message) {
        return bare(target) + "#" + Query.encoded(new TreeMap<>(Map.of("message", message, "sb", "")));
    }

    /** The end of a PKCE flow. */
    public static String withCode(String target, String code) {
        return Query.appended(bare(target), Map.of("code", code));
    }

    /** The end of a flow that has failed; the error is in the fragment and in the query. */
    public static String withError(String target, AuthError error) {
        String word = OAUTH.getOrDefault(error.status(), error.status() < 500 ? "access_denied" : "server_error");
        return withError(target, word, error.code(), error.getMessage());
    }

    /**
     * The same for an error of a provider.
     *
     * @param error OAuth's code
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
