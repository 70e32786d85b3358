package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The type of an identity provider. */
public enum ProviderType {
    /** Any provider with OpenID Connect discovery. */
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
