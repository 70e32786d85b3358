package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import svc.crds.reference.SecretKeyReference;

/** A Secret's value in {@code spec.auth}, encrypted for the data plane. */
public record ActiveSecret(
        @Size(max = 253) @JsonPropertyDescription("Name of the Secret.")
        String name,

        @Size(max = 253) @JsonPropertyDescription("Key in the Secret.")
        String key,

        @Size(max = 65536) @JsonPropertyDescription("The encrypted value.")
        String sealed) {
    /** Whether it is the value of this reference. */
    public boolean isOf(SecretKeyReference reference) {
        return name.equals(reference.name()) && key.equals(reference.key());
    }
}
