package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Sign-in by phone. Messages are sent by the hook sendSms. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PhoneSpec(
        @Default("false") @JsonPropertyDescription("Whether users may sign in by phone.")
        Boolean enabled,

        @Default("false") @JsonPropertyDescription("Whether a number counts as confirmed at once.")
        Boolean autoconfirm,

        @Min(6) @Max(10) @Default("6") @JsonPropertyDescription("Digits of a one-time password.")
        Integer otpLength,

        @Min(30) @Max(3600) @Default("60") @JsonPropertyDescription("Life of a one-time password.")
        Integer otpExpirySeconds,

        @Min(0) @Max(3600) @Default("60") @JsonPropertyDescription("Time between two messages to one user.")
        Integer minIntervalSeconds) {

    public PhoneSpec {
        enabled = enabled == null ? false : enabled;
        autoconfirm = autoconfirm == null ? false : autoconfirm;
        otpLength = otpLength == null ? 6 : otpLength;
        otpExpirySeconds = otpExpirySeconds == null ? 60 : otpExpirySeconds;
        minIntervalSeconds = minIntervalSeconds == null ? 60 : minIntervalSeconds;
    }

    /** What an absent object means. */
    public static PhoneSpec defaults() {
        return new PhoneSpec(null, null, null, null, null);
    }
}
