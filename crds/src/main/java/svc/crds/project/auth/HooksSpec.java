package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Objects;
import java.util.stream.Stream;

/** Steps of the flows that the project decides. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HooksSpec(
        @JsonPropertyDescription("May refuse a sign-up.") HookSpec beforeUserCreated,

        @JsonPropertyDescription("May change the claims of a token.")
        HookSpec customAccessToken,

        @JsonPropertyDescription("Sends mails in place of SMTP.")
        HookSpec sendEmail,

        @JsonPropertyDescription("Sends messages to phones.")
        HookSpec sendSms,

        @JsonPropertyDescription("May refuse after a password was checked.")
        HookSpec passwordVerification,

        @JsonPropertyDescription("May refuse after a factor was checked.")
        HookSpec mfaVerification) {
    Stream<HookSpec> all() {
        return Stream.of(
                        beforeUserCreated, customAccessToken, sendEmail, sendSms, passwordVerification, mfaVerification)
                .filter(Objects::nonNull);
    }
}
