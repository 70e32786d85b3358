package svc.auth.provider;

import java.util.Map;
import java.util.Optional;
import svc.crds.project.auth.ProviderSpec;
import svc.crds.project.auth.ProviderType;

/**
 * The addresses of the public providers, which are the issuers of those with OpenID Connect. The setting {@code issuer} of a
 * project takes precedence, for a self-hosted GitLab or an own directory.
 */
public final class ProviderCatalogue {
    private static final String AZURE_VERSION = "/v2.0";

    /** Instead of the type's own. */
    private final Map<ProviderType, String> homes;

    private ProviderCatalogue(Map<ProviderType, String> homes) {
        this.homes = Map.copyOf(homes);
    }

    /** As {@link ProviderType} has them. */
    public static ProviderCatalogue real() {
        return new ProviderCatalogue(Map.of());
    }

    /** For tests: the same providers at other addresses. */
    public static ProviderCatalogue at(Map<ProviderType, String> homes) {
        return new ProviderCatalogue(homes);
    }

    /** Without a trailing slash. */
    String home(ProviderSpec spec) {
        String home = Optional.ofNullable(spec.issuer())
                .or(() -> Optional.ofNullable(homes.get(spec.type())))
                .or(spec.type()::home)
                .orElseThrow();
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
