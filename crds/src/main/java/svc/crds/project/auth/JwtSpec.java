package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** Tokens of the project. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JwtSpec(
        @Min(60) @Max(604800) @Default("3600") @JsonPropertyDescription("Life of an access token.")
        Integer expirySeconds,

        @Size(min = 1, max = 255) @JsonPropertyDescription("The audience of tokens; authenticated if absent.")
        String audience,

        @Size(max = 8) @JsonPropertyDescription("Keys that tokens from elsewhere may be signed with.")
        List<VerifyKey> verifyKeys) {

    public JwtSpec {
        expirySeconds = expirySeconds == null ? 3600 : expirySeconds;
        verifyKeys = verifyKeys == null ? List.of() : verifyKeys;
    }

    /** What an absent object means. */
    public static JwtSpec defaults() {
        return new JwtSpec(null, null, null);
    }
}
