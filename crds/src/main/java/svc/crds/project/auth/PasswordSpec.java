package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Password policy. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record PasswordSpec(
        @Min(6) @Max(72) @Default("8") @JsonPropertyDescription("Minimum length of a password.")
        Integer minLength,

        @Default("Any") @JsonPropertyDescription("Required kinds of characters.")
        RequiredCharacters requiredCharacters,

        @Default("false") @JsonPropertyDescription("Whether leaked passwords are rejected.")
        Boolean refuseLeaked,

        @Default("false") @JsonPropertyDescription("Whether a password change requires a recent sign-in or a nonce.")
        Boolean requireReauthentication,

        @Default("false") @JsonPropertyDescription("Whether a password change requires the current password.")
        Boolean requireCurrent) {

    public PasswordSpec {
        minLength = minLength == null ? 8 : minLength;
        requiredCharacters = requiredCharacters == null ? RequiredCharacters.ANY : requiredCharacters;
        refuseLeaked = refuseLeaked == null ? false : refuseLeaked;
        requireReauthentication = requireReauthentication == null ? false : requireReauthentication;
        requireCurrent = requireCurrent == null ? false : requireCurrent;
    }

    /** The defaults of an absent object. */
    public static PasswordSpec defaults() {
        return new PasswordSpec(null, null, null, null, null);
    }
}
