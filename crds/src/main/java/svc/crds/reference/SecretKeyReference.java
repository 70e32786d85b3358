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
        @JsonPropertyDescription("The Secret's name, in the same namespace.")
        String name,

        @Required
        @Size(min = 1, max = 253)
        @Pattern("^[-._a-zA-Z0-9]+$")
        @JsonPropertyDescription("The key in the Secret.")
        String key) {}
