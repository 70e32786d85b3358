package svc.crds.function;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Scaling of the function's processes. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ScaleSpec(
        @Min(0)
        @Max(100)
        @Default("0")
        @JsonPropertyDescription("Minimum number of processes; with 0 the first call starts one.")
        Integer min,

        @Min(1)
        @Max(100)
        @Default("3")
        @JsonPropertyDescription("Maximum number of processes; a value below min counts as min.")
        Integer max,

        @Min(10)
        @Max(86400)
        @Default("300")
        @JsonPropertyDescription("Idle time after which processes above min are stopped.")
        Integer idleSeconds) {

    public ScaleSpec {
        min = min == null ? 0 : min;
        max = max == null ? 3 : max;
        idleSeconds = idleSeconds == null ? 300 : idleSeconds;
    }

    /** The defaults of an absent object. */
    public static ScaleSpec defaults() {
        return new ScaleSpec(null, null, null);
    }
}
