package svc.auth.provider;

import java.util.Map;
import svc.crds.project.auth.ProviderSpec;
import svc.crds.project.auth.ProviderType;

/**
 * The addresses of the public providers, which are the issuers of those with OpenID Connect. The setting {@code issuer} of a
 * project takes precedence, for a self-hosted GitLab or an own directory.
 */
public final class ProviderCatalogue {
    private static final String AZURE_VERSION = "/v2.0";

    private final Map<ProviderType, String> homes;

    private ProviderCatalogue(Map<ProviderType, String> homes) {
        this.homes = Map.copyOf(homes);
    }

    public static ProviderCatalogue real() {
        return new ProviderCatalogue(Map.of(
                ProviderType.GOOGLE, "https://accounts.google.com",
                ProviderType.GIT_HUB, "https://github.com",
                ProviderType.GIT_LAB, "https://gitlab.com",
                ProviderType.AZURE, "https://login.microsoftonline.com/common",
                ProviderType.APPLE, "https://appleid.apple.com"));
    }

    /** For tests: the same providers at other addresses. */
    public static ProviderCatalogue at(Map<ProviderType, String> homes) {
        return new ProviderCatalogue(homes);
    }

    /** Without a trailing slash. */
    String home(ProviderSpec spec) {
        String home = spec.issuer() != null ? spec.issuer() : homes.get(spec.type());
        String bare = home.endsWith("/") ? home.substring(0, home.length() - 1) : home;
        // Supabase's setting is the directory alone; discovery and issuer are those of its version 2.0.
        return spec.type() == ProviderType.AZURE && !bare.endsWith(AZURE_VERSION) ? bare + AZURE_VERSION : bare;
    }

    /** The address of GitHub's API; GitHub Enterprise has it below its own host. */
    String gitHubApi(ProviderSpec spec) {
        String home = home(spec);
        return home.equals("https://github.com") ? "https://api.github.com" : home + "/api/v3";
    }
}
