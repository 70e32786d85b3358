package svc.auth.provider;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import svc.auth.flow.FlowState;

/**
 * Binds a provider's callback to its authorization request: a nonce for the ID token, and a verifier whose challenge is sent
 * to the provider (RFC 7636), so that no code of another request can be injected. All are derived from the flow's secret.
 *
 * @param state OAuth's parameter, which names the flow
 * @param mark the value of the cookie, for flows that are bound to a browser
 */
public record AuthorizationRequest(String state, String nonce, String verifier, String mark) {
    public static AuthorizationRequest of(FlowState flow) {
        String secret = flow.secret().orElseThrow();
        return new AuthorizationRequest(
                flow.id().toString(),
                derived(secret, "nonce"),
                derived(secret, "verifier"),
                derived(secret, "browser"));
    }

    /** 43 characters. */
    private static String derived(String secret, String purpose) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(purpose.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException(e);
        }
    }
}
