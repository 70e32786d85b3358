package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Multi-factor authentication. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record MfaSpec(
        @Default("true") @JsonPropertyDescription("Whether TOTP factors may be enrolled.")
        Boolean totp,

        @Default("false") @JsonPropertyDescription("Whether phone factors may be enrolled.")
        Boolean phone,

        @Min(1) @Max(30) @Default("10") @JsonPropertyDescription("Maximum number of factors per user.")
        Integer maxFactors) {

    public MfaSpec {
        totp = totp == null ? true : totp;
        phone = phone == null ? false : phone;
        maxFactors = maxFactors == null ? 10 : maxFactors;
    }

    /** The defaults of an absent object. */
    public static MfaSpec defaults() {
        return new MfaSpec(null, null, null);
    }
}
