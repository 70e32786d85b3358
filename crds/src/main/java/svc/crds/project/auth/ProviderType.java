package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Optional;

/** The type of an identity provider: its name in Supabase's settings, its address, and what it speaks. */
public enum ProviderType {
    /** Any provider with OpenID Connect discovery. */
    @JsonProperty("Oidc")
    OIDC("", "", Protocol.OPEN_ID_CONNECT),
    @JsonProperty("Google")
    GOOGLE("google", "https://accounts.google.com", Protocol.OPEN_ID_CONNECT),
    @JsonProperty("GitHub")
    GIT_HUB("github", "https://github.com", Protocol.GIT_HUB_API),
    @JsonProperty("GitLab")
    GIT_LAB("gitlab", "https://gitlab.com", Protocol.GIT_LAB_API),
    @JsonProperty("Keycloak")
    KEYCLOAK("keycloak", "", Protocol.OPEN_ID_CONNECT),
    @JsonProperty("Azure")
    AZURE("azure", "https://login.microsoftonline.com/common", Protocol.OPEN_ID_CONNECT),
    @JsonProperty("Apple")
    APPLE("apple", "https://appleid.apple.com", Protocol.OPEN_ID_CONNECT);

    private final String settingsName;
    private final String home;
    private final Protocol protocol;

    /** How a user of the provider is found out. */
    public enum Protocol {
        /** OpenID Connect 1.0 with discovery. */
        OPEN_ID_CONNECT,
        /** OAuth 2.0, then GitHub's REST API. */
        GIT_HUB_API,
        /** OAuth 2.0, then GitLab's REST API. */
        GIT_LAB_API
    }

    ProviderType(String settingsName, String home, Protocol protocol) {
        this.settingsName = settingsName;
        this.home = home;
        this.protocol = protocol;
    }

    /** As in Supabase's settings {@code external_<name>_…}; empty for a type that has none there. */
    public Optional<String> settingsName() {
        return Optional.of(settingsName).filter(name -> !name.isEmpty());
    }

    /** The address of the public provider, which is the issuer with OpenID Connect; empty where a project names it. */
    public Optional<String> home() {
        return Optional.of(home).filter(address -> !address.isEmpty());
    }

    public Protocol protocol() {
        return protocol;
    }
}
