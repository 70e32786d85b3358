package svc.management.mcp.oauth;

import com.google.re2j.Pattern;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where an authorization server sends the browser back to: an https address, http of the loopback interface, or an address in a
 * scheme of an application's own (RFC 8252). Pure.
 */
final class RedirectAddress {
    private static final Pattern PRINTABLE = Pattern.compile("[\\x21-\\x7e]+");

    private static final int MAX_LENGTH = 1000;
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "[::1]", "localhost");

    /** Schemes that a browser runs, shows or reads itself. */
    private static final Set<String> OF_BROWSERS = Set.of(
            "javascript",
            "data",
            "vbscript",
            "file",
            "blob",
            "about",
            "ws",
            "wss",
            "ftp",
            "view-source",
            "filesystem",
            "chrome",
            "resource",
            "mailto",
            "tel",
            "sms",
            "intent",
            "content",
            "jar");

    private final String text;
    private final URI uri;

    private RedirectAddress(String text, URI uri) {
        this.text = text;
        this.uri = uri;
    }

    /** @throws OAuthError {@code invalid_redirect_uri} */
    static RedirectAddress of(String text) {
        if (text == null || text.length() > MAX_LENGTH || !PRINTABLE.matches(text) || text.contains("\\")) {
            throw invalid("has up to " + MAX_LENGTH + " printable ASCII characters");
        }
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw invalid("is not a URI");
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (scheme.isEmpty() || uri.isOpaque() || uri.getRawFragment() != null || uri.getRawUserInfo() != null) {
            throw invalid("is absolute, without user and fragment");
        }
        boolean web = scheme.equals("http") || scheme.equals("https");
        if (OF_BROWSERS.contains(scheme) || web && uri.getHost() == null) {
            throw invalid("leads to an application");
        }
        if (scheme.equals("http") && !LOOPBACK.contains(uri.getHost().toLowerCase(Locale.ROOT))) {
            throw invalid("is https, except on the loopback interface");
        }
        return new RedirectAddress(text, uri);
    }

    private static OAuthError invalid(String rule) {
        return OAuthError.of("invalid_redirect_uri", "A redirect URI " + rule + ".");
    }

    /** Whether it is the registered one: the same text, but for the port of a loopback address (RFC 8252 section 7.3). */
    boolean matches(String registered) {
        if (text.equals(registered)) {
            return true;
        }
        URI other = URI.create(registered);
        return "http".equalsIgnoreCase(uri.getScheme())
                && "http".equalsIgnoreCase(other.getScheme())
                && LOOPBACK.contains(uri.getHost().toLowerCase(Locale.ROOT))
                && uri.getHost().equalsIgnoreCase(other.getHost())
                && Objects.equals(uri.getRawPath(), other.getRawPath())
                && Objects.equals(uri.getRawQuery(), other.getRawQuery());
    }

    String text() {
        return text;
    }

    /** For a person: what the browser goes to. */
    String shown() {
        return uri.getHost() == null ? uri.getScheme() + ":" : uri.getScheme() + "://" + uri.getRawAuthority();
    }

    /** As a source of the Content-Security-Policy's form-action: browsers check redirects of forms against it. */
    String source() {
        boolean web = uri.getScheme().toLowerCase(Locale.ROOT).startsWith("http");
        return web ? uri.getScheme() + "://" + uri.getRawAuthority() : uri.getScheme() + ":";
    }

    /** With parameters of an answer. */
    String with(Map<String, String> parameters) {
        String query = parameters.entrySet().stream()
                .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                .sorted()
                .collect(Collectors.joining("&"));
        return text + (uri.getRawQuery() == null ? "?" : "&") + query;
    }
}
