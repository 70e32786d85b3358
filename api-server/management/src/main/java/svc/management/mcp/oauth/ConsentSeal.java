package svc.management.mcp.oauth;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Binds a decision to the page that this server showed to this browser: the form carries a seal over the request, whose key is a
 * cookie that another site can neither read nor send.
 */
final class ConsentSeal {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{43}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private ConsentSeal() {}

    static String newKey() {
        byte[] key = new byte[KEY_BYTES];
        RANDOM.nextBytes(key);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key);
    }

    static String over(String key, OAuthForm form) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.US_ASCII), ALGORITHM));
            for (String name : AuthorizationRequest.PARAMETERS) {
                byte[] value = form.optional(name).orElse("").getBytes(StandardCharsets.UTF_8);
                mac.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(value.length).array());
                mac.update(value);
            }
            return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has " + ALGORITHM, e);
        }
    }

    /** @param key the cookie; null if none came */
    static boolean holds(String key, OAuthForm form) {
        return key != null
                && KEY.matcher(key).matches()
                && form.optional("seal")
                        .filter(seal -> MessageDigest.isEqual(
                                seal.getBytes(StandardCharsets.UTF_8),
                                over(key, form).getBytes(StandardCharsets.UTF_8)))
                        .isPresent();
    }
}
