package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** How often things may be tried, per project. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RateLimitsSpec(
        @Min(0) @Max(1000000) @Default("30") @JsonPropertyDescription("Mails sent.")
        Integer emailsPerHour,

        @Min(0) @Max(1000000) @Default("30") @JsonPropertyDescription("Messages sent to phones.")
        Integer smsPerHour,

        @Min(0) @Max(1000000) @Default("360") @JsonPropertyDescription("Sign-ups and sign-ins from one address.")
        Integer signUpsPerHour,

        @Min(0) @Max(1000000) @Default("30") @JsonPropertyDescription("Anonymous sign-ins from one address.")
        Integer anonymousPerHour,

        @Min(0)
        @Max(1000000)
        @Default("360")
        @JsonPropertyDescription("One-time passwords and links tried from one address.")
        Integer verificationsPerHour,

        @Min(0) @Max(1000000) @Default("1800") @JsonPropertyDescription("Tokens refreshed from one address.")
        Integer refreshesPerHour) {

    public RateLimitsSpec {
        emailsPerHour = emailsPerHour == null ? 30 : emailsPerHour;
        smsPerHour = smsPerHour == null ? 30 : smsPerHour;
        signUpsPerHour = signUpsPerHour == null ? 360 : signUpsPerHour;
        anonymousPerHour = anonymousPerHour == null ? 30 : anonymousPerHour;
        verificationsPerHour = verificationsPerHour == null ? 360 : verificationsPerHour;
        refreshesPerHour = refreshesPerHour == null ? 1800 : refreshesPerHour;
    }

    /** What an absent object means. */
    public static RateLimitsSpec defaults() {
        return new RateLimitsSpec(null, null, null, null, null, null);
    }
}
