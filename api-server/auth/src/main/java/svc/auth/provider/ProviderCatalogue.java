package svc.auth.provider;

import java.util.Map;
import svc.crds.project.auth.ProviderSpec;
import svc.crds.project.auth.ProviderType;

/**
 * Where the providers that everybody knows are at home. Those with OpenID Connect are their issuers; {@code issuer} in the
 * settings of a project stands before it, for a GitLab or a directory of one's own.
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

    /** For tests: the same providers at other places. */
    public static ProviderCatalogue at(Map<ProviderType, String> homes) {
        return new ProviderCatalogue(homes);
    }

    /** Without a slash at the end. */
    String home(ProviderSpec spec) {
        String home = spec.issuer() != null ? spec.issuer() : homes.get(spec.type());
        String bare = home.endsWith("/") ? home.substring(0, home.length() - 1) : home;
        // Supabase's setting is the directory alone; what publishes and signs is its second version.
        return spec.type() == ProviderType.AZURE && !bare.endsWith(AZURE_VERSION) ? bare + AZURE_VERSION : bare;
    }

    /** Where GitHub answers to programs; an installation of one's own has it under its own host. */
    String gitHubApi(ProviderSpec spec) {
        String home = home(spec);
        return home.equals("https://github.com") ? "https://api.github.com" : home + "/api/v3";
    }
}
