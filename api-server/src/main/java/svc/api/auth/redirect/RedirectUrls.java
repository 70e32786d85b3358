package svc.api.auth.redirect;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import svc.api.auth.http.AuthRequest;
import svc.crds.project.auth.AuthSpec;

/**
 * Where a project sends its users: to its site, or to another address that its list names. Tokens go along, so what is not
 * plainly in the list is not gone to; as Supabase does it, the site takes its place without a word.
 */
public final class RedirectUrls {
    private static final int LONGEST = 2048;
    private static final Set<String> WEB = Set.of("http", "https");

    /** Browsers run what follows these, or show what is no place. A pattern that is too wide must not let them in. */
    private static final Set<String> NEVER =
            Set.of("javascript", "data", "vbscript", "file", "blob", "about", "filesystem", "view-source", "ws", "wss");

    private final Optional<String> site;
    private final List<String> patterns;

    private RedirectUrls(Optional<String> site, List<String> patterns) {
        this.site = site;
        this.patterns = patterns;
    }

    public static RedirectUrls of(AuthSpec spec) {
        return new RedirectUrls(Optional.ofNullable(spec.siteUrl()), spec.redirectUrls());
    }

    /**
     * The place that a request asks for, if the list has it: the parameter or header {@code redirect_to}, or the page it
     * comes from; otherwise the site. Empty when there is neither.
     */
    public Optional<String> of(AuthRequest request) {
        return request.parameter("redirect_to")
                .or(() -> Optional.ofNullable(request.header("redirect_to")))
                .filter(this::allows)
                .or(() -> Optional.ofNullable(request.header("Referer")).filter(this::isListed))
                .or(() -> site);
    }

    /** The place wanted, if the list has it; otherwise the site. */
    public Optional<String> of(Optional<String> wanted) {
        return wanted.filter(this::allows).or(() -> site);
    }

    /** Whether users may be sent there. */
    public boolean allows(String url) {
        return read(url).filter(uri -> isAtSite(uri) || isListed(uri)).isPresent();
    }

    private boolean isListed(String url) {
        return read(url).filter(this::isListed).isPresent();
    }

    private boolean isListed(URI uri) {
        String whole = uri.toString();
        int fragment = whole.indexOf('#');
        String url = fragment < 0 ? whole : whole.substring(0, fragment);
        return patterns.stream().map(UrlPattern::of).anyMatch(pattern -> pattern.matches(url));
    }

    /** Any page of the site's host; not in clear where the site itself is not. */
    private boolean isAtSite(URI uri) {
        return site.flatMap(RedirectUrls::read)
                .filter(own -> own.getHost() != null && own.getHost().equalsIgnoreCase(uri.getHost()))
                .filter(own -> WEB.contains(scheme(uri)))
                .filter(own -> scheme(own).equals("http") || scheme(uri).equals("https"))
                .isPresent();
    }

    /** Only what browsers and we cannot read differently: no backslash, blank or control, nobody before the host. */
    private static Optional<URI> read(String url) {
        if (url.length() > LONGEST || url.chars().anyMatch(c -> c <= ' ' || c >= 0x7f || c == '\\')) {
            return Optional.empty();
        }
        try {
            URI uri = new URI(url);
            boolean web = WEB.contains(scheme(uri));
            if (!uri.isAbsolute() || NEVER.contains(scheme(uri)) || web && uri.getHost() == null) {
                return Optional.empty();
            }
            return Optional.of(uri).filter(read -> read.getRawUserInfo() == null);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static String scheme(URI uri) {
        return uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    }
}
