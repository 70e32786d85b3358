package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import svc.crds.reference.SecretKeyReference;

/** An auth hook: a function in the project's database, or a signed HTTP call. */
@ValidationRule(value = "has(self.__function__) != has(self.url)", message = "set function or url, exactly one of them")
@ValidationRule(
        value = "has(self.url) == has(self.secretKeyRef)",
        message = "calls are signed: set both url and secretKeyRef, or neither")
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record HookSpec(
        @Size(min = 1, max = 127) @JsonPropertyDescription("A function of the project, as schema.function.")
        String function,

        @Size(max = 2048) @Pattern("^https?://[^\\s]+$") @JsonPropertyDescription("URL of the hook.")
        String url,

        @JsonPropertyDescription("Reference to the secret that signs the call.")
        SecretKeyReference secretKeyRef) {}
