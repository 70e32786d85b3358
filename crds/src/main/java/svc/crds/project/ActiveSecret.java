package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import svc.crds.reference.SecretKeyReference;

/** A value of a Secret that {@code spec.auth} names, as the data plane takes it. */
public record ActiveSecret(
        @Size(max = 253) @JsonPropertyDescription("The Secret's name.")
        String name,

        @Size(max = 253) @JsonPropertyDescription("The key in the Secret.")
        String key,

        @Size(max = 65536) @JsonPropertyDescription("Its value, sealed.")
        String sealed) {
    /** Whether it is the value that this reference names. */
    public boolean isOf(SecretKeyReference reference) {
        return name.equals(reference.name()) && key.equals(reference.key());
    }
}
