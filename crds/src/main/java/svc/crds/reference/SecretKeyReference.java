package svc.crds.reference;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** One value of a Secret in the same namespace. */
public record SecretKeyReference(
        @Required
        @Size(min = 1, max = 253)
        @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
        @JsonPropertyDescription("Name of the Secret, in the same namespace.")
        String name,

        @Required @Size(min = 1, max = 253) @Pattern("^[-._a-zA-Z0-9]+$") @JsonPropertyDescription("Key in the Secret.")
        String key) {}
