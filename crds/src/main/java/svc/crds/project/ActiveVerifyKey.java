package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import svc.crds.project.auth.VerifyKeyType;

/** A key of {@code spec.auth.jwt.verifyKeys} for the data plane. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ActiveVerifyKey(
        @Size(max = 63) @JsonPropertyDescription("The name in the spec.")
        String name,

        @JsonPropertyDescription("Type of the key.") VerifyKeyType type,

        @Size(max = 2048) @JsonPropertyDescription("URL of the key set.")
        String url,

        @Size(max = 65536) @JsonPropertyDescription("The encrypted secret or key set from a Secret.")
        String sealed) {}
