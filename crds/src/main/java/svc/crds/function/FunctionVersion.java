package svc.crds.function;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;

/** A version of a function's code that served, to which it can be rolled back. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FunctionVersion(
        @Min(1) @JsonPropertyDescription("Its number; grows with each change of the code.")
        Long version,

        @Size(max = 71) @JsonPropertyDescription("Hash of its code.")
        String contentHash,

        @JsonFormat(shape = JsonFormat.Shape.STRING) @JsonPropertyDescription("When it began to serve.")
        Instant deployedAt) {}
