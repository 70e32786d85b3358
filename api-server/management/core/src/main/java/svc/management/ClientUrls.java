package svc.management;

import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import svc.platform.config.ApiConfig;

/**
 * The addresses of a project as answers give them to clients. On one machine a project's host is below {@code localhost}, a
 * name that browsers know and Node.js asks a resolver for, mostly in vain (RFC 6761 §6.3 leaves it to the resolver): there
 * the path {@code /p/<ref>} of the control plane's address is given, which needs no name.
 */
@ApplicationScoped
public class ClientUrls {
    private static final String LOCAL = ".localhost";

    private final boolean pathStyle;
    private final String baseUrl;

    ClientUrls(ApiConfig config) {
        this.pathStyle = config.hosts().pathStyle();
        this.baseUrl = config.hosts().baseUrl();
    }

    /**
     * The address that reaches what {@code url} names.
     *
     * @param url at a project's own host, or null, which stays null
     */
    public String of(String url) {
        return url == null || !pathStyle ? url : byPath(url, baseUrl);
    }

    /** The address by the project's path if the host is below {@code localhost}; any other as it is. */
    static String byPath(String url, String baseUrl) {
        URI at = URI.create(url);
        if (at.getHost() == null || !at.getHost().endsWith(LOCAL)) {
            return url;
        }
        String ref = at.getHost().substring(0, at.getHost().length() - LOCAL.length());
        return at.getScheme() + "://" + URI.create(baseUrl).getRawAuthority() + "/p/" + ref + at.getRawPath();
    }
}
