package svc.crds.function;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.Optional;

/** What became of a source: the hash of its bundle, or why there is none. Written by the control plane alone. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BundleStatus(
        @Size(max = 71) @JsonPropertyDescription("Hash of the source that this speaks of.")
        String sourceHash,

        @Size(max = 71) @JsonPropertyDescription("Hash of the bundle made of it; absent when there is none.")
        String contentHash,

        @Size(max = 8192) @JsonPropertyDescription("Why there is no bundle, with file, line and column.")
        String message) {

    /** Whether this speaks of the source with that hash rather than of an earlier one. */
    @JsonIgnore
    public boolean isOf(String hash) {
        return hash.equals(sourceHash);
    }

    /** The bundle; empty when there is none. */
    public Optional<String> bundled() {
        return Optional.ofNullable(contentHash);
    }
}
