package svc.auth.redirect;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.re2j.Pattern;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import svc.auth.http.AuthError;
import svc.auth.http.AuthRequest;
import svc.crds.project.auth.AuthSpec;
import svc.platform.tenancy.Tenant;

/**
 * Decides on the redirects of users with tokens in the address: to the project's site, or to the addresses of
 * {@code spec.auth.redirectUrls}. Any other address is replaced by the site without an error, as in Supabase.
 *
 * <p>Hazard: a redirect to an attacker's address hands over the user's session.
 */
public final class RedirectTargets {
    /** Supabase's default site, for local development. */
    private static final String NO_SITE = "http://localhost:3000";

    private static final int MAX_CHARACTERS = 2048;
    private static final int MAX_GLOBS = 10_000;

    /** Schemes that run scripts or read local data in the page. */
    private static final Set<String> NEVER =
            Set.of("javascript", "data", "vbscript", "file", "blob", "about", "filesystem", "view-source");

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    // Underscores are not allowed in a scheme by RFC 3986, but mobile applications use them.
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+._-]*):.*");

    private static final Pattern PRINTABLE = Pattern.compile("[\\x21-\\x5b\\x5d-\\x7e]+");

    /** A dot segment in a path, in any encoding that browsers accept. */
    private static final Pattern BACK = Pattern.compile("(?i).*/(?:\\.|%2e){1,2}(?:[/?].*)?");

    private static final Pattern NUMBER = Pattern.compile("(?i)[0-9]+|0x[0-9a-f]+");

    private final Cache<String, Optional<RedirectGlob>> globs =
            Caffeine.newBuilder().maximumSize(MAX_GLOBS).build();

    /** The request's {@code redirect_to}, else its referrer, as far as they are allowed; else the site. */
    public String of(AuthRequest request) {
        AuthSpec spec = request.tenant().auth();
        return Stream.of(
                        wanted(request),
                        Optional.ofNullable(request.header("redirect_to")),
                        Optional.ofNullable(request.header("Referer")))
                .flatMap(Optional::stream)
                .flatMap(address -> allowed(spec, address).stream())
                .findFirst()
                .orElseGet(() -> site(spec));
    }

    private static Optional<String> wanted(AuthRequest request) {
        try {
            return request.parameter("redirect_to");
        } catch (AuthError e) {
            return Optional.empty();
        }
    }

    /** The wanted address if it is allowed, else the site. */
    public String resolve(Tenant tenant, Optional<String> wanted) {
        return resolve(tenant.auth(), wanted);
    }

    String resolve(AuthSpec spec, Optional<String> wanted) {
        return wanted.flatMap(address -> allowed(spec, address)).orElseGet(() -> site(spec));
    }

    private static String site(AuthSpec spec) {
        return spec.siteUrl() == null ? NO_SITE : spec.siteUrl();
    }

    private Optional<String> allowed(AuthSpec spec, String wanted) {
        Optional<String> scheme = Optional.of(wanted)
                .filter(text -> text.length() <= MAX_CHARACTERS
                        && PRINTABLE.matcher(text).matches())
                .map(SCHEME::matcher)
                .filter(com.google.re2j.Matcher::matches)
                .map(match -> match.group(1).toLowerCase(Locale.ROOT))
                .filter(name -> !NEVER.contains(name));
        if (scheme.isEmpty()) {
            return Optional.empty();
        }
        if (scheme.get().equals("http") || scheme.get().equals("https")) {
            Optional<URI> page = parsed(wanted).filter(RedirectTargets::isPlain);
            if (page.isEmpty()) {
                return Optional.empty();
            }
            if (isOnSite(site(spec), page.get())) {
                return Optional.of(wanted);
            }
        }
        String bare = wanted.contains("#") ? wanted.substring(0, wanted.indexOf('#')) : wanted;
        boolean listed = spec.redirectUrls().stream()
                .anyMatch(entry -> globs.get(entry, RedirectGlob::of)
                        .filter(glob -> glob.matches(bare))
                        .isPresent());
        return listed ? Optional.of(wanted) : Optional.empty();
    }

    /** Whether browsers and this class interpret the address alike. */
    private static boolean isPlain(URI page) {
        return page.getHost() != null
                && page.getRawUserInfo() == null
                && !NUMBER.matcher(page.getHost()).matches()
                && !BACK.matcher(page.getRawPath()).matches();
    }

    /** Whether scheme, host and port are the site's; on localhost any port, as native applications need (RFC 8252). */
    private static boolean isOnSite(String site, URI page) {
        return parsed(site)
                .filter(own -> own.getHost() != null
                        && own.getScheme().equalsIgnoreCase(page.getScheme())
                        && own.getHost().equalsIgnoreCase(page.getHost())
                        && (port(own) == port(page)
                                || LOOPBACK.contains(page.getHost().toLowerCase(Locale.ROOT))))
                .isPresent();
    }

    private static int port(URI address) {
        if (address.getPort() >= 0) {
            return address.getPort();
        }
        return address.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }

    private static Optional<URI> parsed(String text) {
        try {
            return Optional.of(new URI(text));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
