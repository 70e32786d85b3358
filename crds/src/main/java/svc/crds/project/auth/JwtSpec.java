package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** Access tokens of the project. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record JwtSpec(
        @Min(60) @Max(604800) @Default("3600") @JsonPropertyDescription("Lifetime of an access token, in seconds.")
        Integer expirySeconds,

        @Size(min = 1, max = 255) @JsonPropertyDescription("Audience (aud) of tokens; authenticated if absent.")
        String audience,

        @Size(max = 8) @JsonPropertyDescription("Additional keys that verify tokens of other issuers.")
        List<VerifyKey> verifyKeys) {

    public JwtSpec {
        expirySeconds = expirySeconds == null ? 3600 : expirySeconds;
        verifyKeys = verifyKeys == null ? List.of() : verifyKeys;
    }

    /** The defaults of an absent object. */
    public static JwtSpec defaults() {
        return new JwtSpec(null, null, null);
    }
}
