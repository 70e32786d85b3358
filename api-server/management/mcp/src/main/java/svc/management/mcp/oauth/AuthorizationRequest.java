package svc.management.mcp.oauth;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A checked request of a client to be allowed (RFC 6749 section 4.1.1, RFC 7636, RFC 8707). Pure.
 *
 * @param challenge SHA-256 of the client's verifier, base64url
 * @param state returned to the client; null if there is none
 * @param readOnly whether the client asks for reading alone
 */
record AuthorizationRequest(
        OAuthClient client, RedirectAddress redirect, String challenge, String state, boolean readOnly) {
    /** Everything that the token of the person may do with projects. */
    static final String SCOPE = "mcp";

    static final String READ_SCOPE = "mcp:read";

    /** That a consent page carries from the request to the decision. */
    static final List<String> PARAMETERS = List.of(
            "response_type",
            "client_id",
            "redirect_uri",
            "code_challenge",
            "code_challenge_method",
            "state",
            "scope",
            "resource");

    private static final Pattern CHALLENGE = Pattern.compile("[A-Za-z0-9_-]{43}");
    private static final int MAX_STATE = 2000;

    /**
     * Checks what follows the client and its address, so that errors can be reported to the client.
     *
     * @throws OAuthError to be sent to the redirect address
     */
    static AuthorizationRequest of(OAuthClient client, RedirectAddress redirect, OAuthForm form, String resource) {
        if (!form.required("response_type").equals("code")) {
            throw OAuthError.of("unsupported_response_type", "response_type is code.");
        }
        if (!form.required("code_challenge_method").equals("S256")
                || !CHALLENGE.matcher(form.required("code_challenge")).matches()) {
            throw OAuthError.of(OAuthError.INVALID_REQUEST, "PKCE with the method S256 is required (RFC 7636).");
        }
        if (form.optional("state").filter(text -> text.length() > MAX_STATE).isPresent()) {
            throw OAuthError.of(OAuthError.INVALID_REQUEST, "state has at most " + MAX_STATE + " characters.");
        }
        requireResource(form, resource);
        Optional<String> scope = form.optional("scope");
        scope.ifPresent(text -> {
            if (!List.of(SCOPE, READ_SCOPE).containsAll(List.of(text.split(" ")))) {
                throw OAuthError.of(OAuthError.INVALID_SCOPE, "Scopes are " + SCOPE + " and " + READ_SCOPE + ".");
            }
        });
        return new AuthorizationRequest(
                client,
                redirect,
                form.required("code_challenge"),
                form.optional("state").orElse(null),
                scope.filter(text -> !List.of(text.split(" ")).contains(SCOPE)).isPresent());
    }

    /** @throws OAuthError if the client wants a token for another server */
    static void requireResource(OAuthForm form, String resource) {
        form.optional("resource").ifPresent(asked -> {
            if (!asked.equals(resource) && !asked.startsWith(resource + "?") && !asked.equals(resource + "/")) {
                throw OAuthError.of(OAuthError.INVALID_TARGET, "This server issues tokens for " + resource + " alone.");
            }
        });
    }

    /** Parameters that go back to the client with every answer. */
    Map<String, String> answer(String issuer) {
        return answer(state, issuer);
    }

    static Map<String, String> answer(String state, String issuer) {
        Map<String, String> answer = new TreeMap<>(Map.of("iss", issuer));
        if (state != null && state.length() <= MAX_STATE) {
            answer.put("state", state);
        }
        return answer;
    }

    String scope(boolean reading) {
        return reading ? READ_SCOPE : SCOPE;
    }
}
