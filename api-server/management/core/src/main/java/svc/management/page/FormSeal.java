package svc.management.page;

import com.google.re2j.Pattern;
import io.vertx.core.http.Cookie;
import io.vertx.ext.web.RoutingContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Binds a form to the page that this server showed to this browser: the form carries a seal over what the page showed, whose
 * key is a cookie that another site can neither read nor send.
 *
 * @param name of the cookie
 * @param secure whether the page is reached by https
 */
public record FormSeal(String name, boolean secure) {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final int COOKIE_SECONDS = 600;
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{43}");
    private static final SecureRandom RANDOM = new SecureRandom();

    public static String newKey() {
        byte[] key = new byte[KEY_BYTES];
        RANDOM.nextBytes(key);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key);
    }

    /** The seal over values in their order. */
    public static String over(String key, List<String> values) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.US_ASCII), ALGORITHM));
            for (String text : values) {
                byte[] value = text.getBytes(StandardCharsets.UTF_8);
                mac.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(value.length).array());
                mac.update(value);
            }
            return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has " + ALGORITHM, e);
        }
    }

    /** The key of the browser that sent a form; empty where another page sent it, and where its page is too old. */
    public Optional<String> senderKey(RoutingContext context, List<String> values, Optional<String> seal) {
        Cookie cookie = context.request().getCookie(cookieName());
        String site = context.request().getHeader("Sec-Fetch-Site");
        return Optional.ofNullable(cookie)
                .map(Cookie::getValue)
                .filter(key -> KEY.matcher(key).matches())
                .filter(key -> site == null || site.equals("same-origin"))
                .filter(key -> seal.isPresent() && equal(seal.get(), over(key, values)));
    }

    private static boolean equal(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    /** The header Set-Cookie of a page. */
    public String setCookie(String key) {
        return cookieName() + "=" + key + "; Path=/; HttpOnly; SameSite=Strict; Max-Age=" + COOKIE_SECONDS
                + (secure ? "; Secure" : "");
    }

    /** A browser takes the first one from this host alone. */
    private String cookieName() {
        return secure ? "__Host-" + name : name;
    }
}
