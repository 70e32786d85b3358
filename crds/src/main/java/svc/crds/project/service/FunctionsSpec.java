package svc.crds.project.service;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Edge functions of the project, /functions/v1. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FunctionsSpec(
        @Default("true") @JsonPropertyDescription("Whether functions are enabled.")
        Boolean enabled,

        @Min(1) @Max(1000) @Default("100") @JsonPropertyDescription("Maximum number of functions.")
        Integer maxFunctions,

        @Min(1) @Max(900) @Default("150") @JsonPropertyDescription("Maximum duration of a call, in seconds.")
        Integer wallClockSeconds,

        @Min(1) @Max(1024) @Default("20") @JsonPropertyDescription("Maximum size of a request body, in MiB.")
        Integer requestSizeLimitMB,

        @Min(1) @Max(1024) @Default("20") @JsonPropertyDescription("Maximum size of a response body, in MiB.")
        Integer responseSizeLimitMB) {

    public FunctionsSpec {
        enabled = enabled == null ? true : enabled;
        maxFunctions = maxFunctions == null ? 100 : maxFunctions;
        wallClockSeconds = wallClockSeconds == null ? 150 : wallClockSeconds;
        requestSizeLimitMB = requestSizeLimitMB == null ? 20 : requestSizeLimitMB;
        responseSizeLimitMB = responseSizeLimitMB == null ? 20 : responseSizeLimitMB;
    }

    /** The defaults of an absent object. */
    public static FunctionsSpec defaults() {
        return new FunctionsSpec(null, null, null, null, null);
    }
}
