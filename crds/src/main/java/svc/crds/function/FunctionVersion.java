package svc.crds.function;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;

/** An earlier version of a function's code, for rollback. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FunctionVersion(
        @Min(1) @JsonPropertyDescription("Version number; increases with each change of the code.")
        Long version,

        @Size(max = 71) @JsonPropertyDescription("Content hash of the code.")
        String contentHash,

        @JsonFormat(shape = JsonFormat.Shape.STRING) @JsonPropertyDescription("Time at which the version became ready.")
        Instant deployedAt) {}
