package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import svc.crds.project.auth.VerifyKeyType;

/** A key of {@code spec.auth.jwt.verifyKeys} as the data plane takes it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ActiveVerifyKey(
        @Size(max = 63) @JsonPropertyDescription("The name in the spec.")
        String name,

        @JsonPropertyDescription("What kind of key it is.") VerifyKeyType type,

        @Size(max = 2048) @JsonPropertyDescription("Where the key set is published.")
        String url,

        @Size(max = 65536) @JsonPropertyDescription("The secret or the key set from a Secret, sealed.")
        String sealed) {}
