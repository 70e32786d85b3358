package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Lifetime of sessions. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record SessionSpec(
        @Min(60) @Max(31536000) @JsonPropertyDescription("Maximum lifetime of a session; unlimited if absent.")
        Integer timeboxSeconds,

        @Min(60) @Max(31536000) @JsonPropertyDescription("Inactivity timeout of a session; none if absent.")
        Integer inactivityTimeoutSeconds,

        @Default("false") @JsonPropertyDescription("Whether a user has a single session: a sign-in ends the others.")
        Boolean singlePerUser,

        @Min(0)
        @Max(3600)
        @Default("10")
        @JsonPropertyDescription("Interval in which a refresh token may be reused, for concurrent refreshes.")
        Integer refreshReuseSeconds) {

    public SessionSpec {
        singlePerUser = singlePerUser == null ? false : singlePerUser;
        refreshReuseSeconds = refreshReuseSeconds == null ? 10 : refreshReuseSeconds;
    }

    /** The defaults of an absent object. */
    public static SessionSpec defaults() {
        return new SessionSpec(null, null, null, null);
    }
}
