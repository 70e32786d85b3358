package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import svc.crds.reference.SecretKeyReference;

/** A key that verifies tokens of another issuer, for adopting an existing database and its users. */
@ValidationRule(
        value = "has(self.secretKeyRef) != has(self.url)",
        message = "set secretKeyRef or url, exactly one of them")
@ValidationRule(
        value = "!has(self.url) || self.type == 'JWKS'",
        message = "a shared secret has no url: set secretKeyRef, or type to JWKS",
        fieldPath = ".url")
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record VerifyKey(
        @Required
        @Size(min = 1, max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription("Name of the key, unique in the list.")
        String name,

        @Required @JsonPropertyDescription("HS256: a shared secret. JWKS: a set of public keys.")
        VerifyKeyType type,

        @JsonPropertyDescription("Reference to the secret, or to the key set as JSON.")
        SecretKeyReference secretKeyRef,

        @Size(max = 2048) @Pattern("^https?://[^\\s]+$") @JsonPropertyDescription("URL of the key set.")
        String url) {}
