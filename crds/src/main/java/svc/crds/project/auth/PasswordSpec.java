package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Rules for passwords. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PasswordSpec(
        @Min(6) @Max(72) @Default("8") @JsonPropertyDescription("Characters a password has at least.")
        Integer minLength,

        @Default("Any") @JsonPropertyDescription("Which kinds of characters it needs.")
        RequiredCharacters requiredCharacters,

        @Default("false") @JsonPropertyDescription("Whether passwords known from leaks are refused.")
        Boolean refuseLeaked,

        @Default("false") @JsonPropertyDescription("Whether a change needs a recent sign-in or a code.")
        Boolean requireReauthentication,

        @Default("false") @JsonPropertyDescription("Whether a change needs the present password.")
        Boolean requireCurrent) {

    public PasswordSpec {
        minLength = minLength == null ? 8 : minLength;
        requiredCharacters = requiredCharacters == null ? RequiredCharacters.ANY : requiredCharacters;
        refuseLeaked = refuseLeaked == null ? false : refuseLeaked;
        requireReauthentication = requireReauthentication == null ? false : requireReauthentication;
        requireCurrent = requireCurrent == null ? false : requireCurrent;
    }

    /** What an absent object means. */
    public static PasswordSpec defaults() {
        return new PasswordSpec(null, null, null, null, null);
    }
}
