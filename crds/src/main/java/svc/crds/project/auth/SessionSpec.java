package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Life of sessions. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SessionSpec(
        @Min(60) @Max(31536000) @JsonPropertyDescription("Life of a session; no limit if absent.")
        Integer timeboxSeconds,

        @Min(60) @Max(31536000) @JsonPropertyDescription("Time a session may go unused; no limit if absent.")
        Integer inactivityTimeoutSeconds,

        @Default("false") @JsonPropertyDescription("Whether a sign-in ends the other sessions of the user.")
        Boolean singlePerUser,

        @Min(0)
        @Max(3600)
        @Default("10")
        @JsonPropertyDescription("Time in which a refresh token may be used again, for tabs that race.")
        Integer refreshReuseSeconds) {

    public SessionSpec {
        singlePerUser = singlePerUser == null ? false : singlePerUser;
        refreshReuseSeconds = refreshReuseSeconds == null ? 10 : refreshReuseSeconds;
    }

    /** What an absent object means. */
    public static SessionSpec defaults() {
        return new SessionSpec(null, null, null, null);
    }
}
