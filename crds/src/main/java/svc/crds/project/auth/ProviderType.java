package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How a sign-in provider is spoken to. */
public enum ProviderType {
    /** Any, by OpenID Connect discovery. */
    @JsonProperty("Oidc")
    OIDC,
    @JsonProperty("Google")
    GOOGLE,
    @JsonProperty("GitHub")
    GIT_HUB,
    @JsonProperty("GitLab")
    GIT_LAB,
    @JsonProperty("Keycloak")
    KEYCLOAK,
    @JsonProperty("Azure")
    AZURE,
    @JsonProperty("Apple")
    APPLE
}
