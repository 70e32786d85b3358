package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.Objects;
import java.util.stream.Stream;

/** Auth hooks of the project. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record HooksSpec(
        @JsonPropertyDescription("Called before a user is created; may reject the sign-up.")
        HookSpec beforeUserCreated,

        @JsonPropertyDescription("Called before a token is issued; may change its claims.")
        HookSpec customAccessToken,

        @JsonPropertyDescription("Sends mails instead of SMTP.")
        HookSpec sendEmail,

        @JsonPropertyDescription("Sends SMS messages.") HookSpec sendSms,

        @JsonPropertyDescription("Called after a password attempt; may reject it.")
        HookSpec passwordVerification,

        @JsonPropertyDescription("Called after an MFA attempt; may reject it.")
        HookSpec mfaVerification) {
    Stream<HookSpec> all() {
        return Stream.of(
                        beforeUserCreated, customAccessToken, sendEmail, sendSms, passwordVerification, mfaVerification)
                .filter(Objects::nonNull);
    }
}
