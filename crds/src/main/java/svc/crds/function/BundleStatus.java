package svc.crds.function;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.Optional;

/** The result of bundling a source: the hash of the bundle, or the error. Only the control plane writes it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BundleStatus(
        @Size(max = 71) @JsonPropertyDescription("Hash of the source that was bundled.")
        String sourceHash,

        @Size(max = 71) @JsonPropertyDescription("Hash of the bundle; absent if bundling failed.")
        String contentHash,

        @Size(max = 8192) @JsonPropertyDescription("Error of the bundler, with file, line and column.")
        String message) {

    /** Whether this is the result for the source with that hash. */
    @JsonIgnore
    public boolean isOf(String hash) {
        return hash.equals(sourceHash);
    }

    /** The hash of the bundle; empty if bundling failed. */
    public Optional<String> bundled() {
        return Optional.ofNullable(contentHash);
    }
}
