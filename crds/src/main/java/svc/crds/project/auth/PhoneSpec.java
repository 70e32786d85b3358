package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Sign-in by phone. The hook sendSms sends the messages. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record PhoneSpec(
        @Default("false") @JsonPropertyDescription("Whether sign-in by phone is enabled.")
        Boolean enabled,

        @Default("false") @JsonPropertyDescription("Whether phone numbers are confirmed without a message.")
        Boolean autoconfirm,

        @Min(6) @Max(10) @Default("6") @JsonPropertyDescription("Number of digits of a one-time password.")
        Integer otpLength,

        @Min(30) @Max(3600) @Default("60") @JsonPropertyDescription("Lifetime of a one-time password, in seconds.")
        Integer otpExpirySeconds,

        @Min(0)
        @Max(3600)
        @Default("60")
        @JsonPropertyDescription("Minimum time between two messages to one user, in seconds.")
        Integer minIntervalSeconds) {

    public PhoneSpec {
        enabled = enabled == null ? false : enabled;
        autoconfirm = autoconfirm == null ? false : autoconfirm;
        otpLength = otpLength == null ? 6 : otpLength;
        otpExpirySeconds = otpExpirySeconds == null ? 60 : otpExpirySeconds;
        minIntervalSeconds = minIntervalSeconds == null ? 60 : minIntervalSeconds;
    }

    /** The defaults of an absent object. */
    public static PhoneSpec defaults() {
        return new PhoneSpec(null, null, null, null, null);
    }
}
