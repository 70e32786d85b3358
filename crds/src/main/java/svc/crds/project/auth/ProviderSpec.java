package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import svc.crds.reference.SecretKeyReference;

/** A place where users sign in with an account they have. */
@ValidationRule(
        value = "has(self.issuer) || !(self.type == 'Oidc' || self.type == 'Keycloak')",
        message = "set issuer: Oidc and Keycloak have no address of their own",
        fieldPath = ".issuer")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProviderSpec(
        @Required
        @Size(min = 1, max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription("The name clients call it by.")
        String name,

        @Required @JsonPropertyDescription("How it is spoken to.")
        ProviderType type,

        @Default("true") @JsonPropertyDescription("Whether users may sign in there.")
        Boolean enabled,

        @Required @Size(min = 1, max = 512) @JsonPropertyDescription("The project's name there.")
        String clientId,

        @Required @JsonPropertyDescription("Where the project's secret there is kept.")
        SecretKeyReference clientSecretRef,

        @Size(max = 2048)
        @Pattern("^https?://[^\\s]+$")
        @JsonPropertyDescription("Address of the provider; needed for Oidc and Keycloak.")
        String issuer,

        @Size(max = 32) @JsonPropertyDescription("What else to ask for.")
        List<@Size(min = 1, max = 128) String> scopes,

        @Default("false") @JsonPropertyDescription("Whether tokens without a nonce are accepted.")
        Boolean skipNonceCheck) {

    public ProviderSpec {
        enabled = enabled == null || enabled;
        scopes = scopes == null ? List.of() : List.copyOf(scopes);
        skipNonceCheck = skipNonceCheck != null && skipNonceCheck;
    }
}
