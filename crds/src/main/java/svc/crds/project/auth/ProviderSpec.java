package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import svc.crds.reference.SecretKeyReference;

/** An external identity provider. */
@ValidationRule(
        value = "has(self.issuer) || !(self.type == 'Oidc' || self.type == 'Keycloak')",
        message = "set issuer: Oidc and Keycloak require it",
        fieldPath = ".issuer")
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record ProviderSpec(
        @Required
        @Size(min = 1, max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription("Name of the provider in requests.")
        String name,

        @Required @JsonPropertyDescription("Type of the provider.")
        ProviderType type,

        @Default("true") @JsonPropertyDescription("Whether sign-in with the provider is enabled.")
        Boolean enabled,

        @Required @Size(min = 1, max = 512) @JsonPropertyDescription("OAuth client id.")
        String clientId,

        @Required @JsonPropertyDescription("Reference to the OAuth client secret.")
        SecretKeyReference clientSecretRef,

        @Size(max = 2048)
        @Pattern("^https?://[^\\s]+$")
        @JsonPropertyDescription("Issuer URL; required for Oidc and Keycloak.")
        String issuer,

        @Size(max = 32) @JsonPropertyDescription("Additional scopes.")
        List<@Size(min = 1, max = 128) String> scopes,

        @Default("false") @JsonPropertyDescription("Whether ID tokens without a nonce are accepted.")
        Boolean skipNonceCheck) {

    public ProviderSpec {
        enabled = enabled == null || enabled;
        scopes = scopes == null ? List.of() : List.copyOf(scopes);
        skipNonceCheck = skipNonceCheck != null && skipNonceCheck;
    }
}
