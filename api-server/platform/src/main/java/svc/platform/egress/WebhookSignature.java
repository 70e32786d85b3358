package svc.platform.egress;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs calls by Standard Webhooks: HMAC-SHA256 of {@code id.timestamp.body}. A project's secret is
 * {@code v1,whsec_<base64>}; several are separated by {@code |} during a rotation.
 */
public final class WebhookSignature {
    private static final String PREFIX = "v1,whsec_";

    private final List<SecretKeySpec> keys;

    private WebhookSignature(List<SecretKeySpec> keys) {
        this.keys = List.copyOf(keys);
    }

    /** Empty for a text of another form. */
    public static Optional<WebhookSignature> of(String secrets) {
        List<SecretKeySpec> keys = new ArrayList<>();
        for (String secret : secrets.strip().split("\\|", -1)) {
            if (!secret.startsWith(PREFIX)) {
                return Optional.empty();
            }
            try {
                byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
                keys.add(new SecretKeySpec(key, "HmacSHA256"));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
        return Optional.of(new WebhookSignature(keys));
    }

    /**
     * The value of the header {@code webhook-signature}.
     *
     * @param timestamp seconds since 1970
     */
    public String header(String id, long timestamp, String body) {
        byte[] signed = (id + "." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8);
        List<String> signatures = new ArrayList<>();
        for (SecretKeySpec key : keys) {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(key);
                signatures.add("v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed)));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java has HMAC-SHA256", e);
            }
        }
        return String.join(" ", signatures);
    }
}
