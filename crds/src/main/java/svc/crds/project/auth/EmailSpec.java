package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Sign-in by e-mail. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record EmailSpec(
        @Default("true") @JsonPropertyDescription("Whether sign-in by e-mail is enabled.")
        Boolean enabled,

        @Default("false") @JsonPropertyDescription("Whether addresses are confirmed without a mail.")
        Boolean autoconfirm,

        @Default("true")
        @JsonPropertyDescription("Whether a change must be confirmed from the old and the new address.")
        Boolean doubleConfirmChanges,

        @Min(6) @Max(10) @Default("6") @JsonPropertyDescription("Number of digits of a one-time password.")
        Integer otpLength,

        @Min(60)
        @Max(86400)
        @Default("3600")
        @JsonPropertyDescription("Lifetime of a one-time password or link, in seconds.")
        Integer otpExpirySeconds,

        @Min(0)
        @Max(3600)
        @Default("60")
        @JsonPropertyDescription("Minimum time between two mails to one user, in seconds.")
        Integer minIntervalSeconds) {

    public EmailSpec {
        enabled = enabled == null ? true : enabled;
        autoconfirm = autoconfirm == null ? false : autoconfirm;
        doubleConfirmChanges = doubleConfirmChanges == null ? true : doubleConfirmChanges;
        otpLength = otpLength == null ? 6 : otpLength;
        otpExpirySeconds = otpExpirySeconds == null ? 3600 : otpExpirySeconds;
        minIntervalSeconds = minIntervalSeconds == null ? 60 : minIntervalSeconds;
    }

    /** The defaults of an absent object. */
    public static EmailSpec defaults() {
        return new EmailSpec(null, null, null, null, null, null);
    }
}
