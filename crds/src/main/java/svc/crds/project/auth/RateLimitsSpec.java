package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Rate limits, per project. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record RateLimitsSpec(
        @Min(0) @Max(1000000) @Default("30") @JsonPropertyDescription("Maximum mails per hour.")
        Integer emailsPerHour,

        @Min(0) @Max(1000000) @Default("30") @JsonPropertyDescription("Maximum SMS messages per hour.")
        Integer smsPerHour,

        @Min(0)
        @Max(1000000)
        @Default("360")
        @JsonPropertyDescription("Maximum sign-ups and sign-ins per hour and IP address.")
        Integer signUpsPerHour,

        @Min(0)
        @Max(1000000)
        @Default("30")
        @JsonPropertyDescription("Maximum anonymous sign-ins per hour and IP address.")
        Integer anonymousPerHour,

        @Min(0)
        @Max(1000000)
        @Default("360")
        @JsonPropertyDescription("Maximum verifications of one-time passwords and links per hour and IP address.")
        Integer verificationsPerHour,

        @Min(0)
        @Max(1000000)
        @Default("1800")
        @JsonPropertyDescription("Maximum token refreshes per hour and IP address.")
        Integer refreshesPerHour) {

    public RateLimitsSpec {
        emailsPerHour = emailsPerHour == null ? 30 : emailsPerHour;
        smsPerHour = smsPerHour == null ? 30 : smsPerHour;
        signUpsPerHour = signUpsPerHour == null ? 360 : signUpsPerHour;
        anonymousPerHour = anonymousPerHour == null ? 30 : anonymousPerHour;
        verificationsPerHour = verificationsPerHour == null ? 360 : verificationsPerHour;
        refreshesPerHour = refreshesPerHour == null ? 1800 : refreshesPerHour;
    }

    /** The defaults of an absent object. */
    public static RateLimitsSpec defaults() {
        return new RateLimitsSpec(null, null, null, null, null, null);
    }
}
