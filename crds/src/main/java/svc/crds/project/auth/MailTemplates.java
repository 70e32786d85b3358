package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;

/** Mail templates of the project; the platform's if absent. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record MailTemplates(
        @JsonPropertyDescription("Sent to confirm an address.")
        MailTemplate confirmation,

        @JsonPropertyDescription("Sent to an invited user.") MailTemplate invite,

        @JsonPropertyDescription("Sent to sign in without a password.")
        MailTemplate magicLink,

        @JsonPropertyDescription("Sent to reset a password.")
        MailTemplate recovery,

        @JsonPropertyDescription("Sent to confirm a new address.")
        MailTemplate emailChange,

        @JsonPropertyDescription("Sent to confirm a sensitive change.")
        MailTemplate reauthentication) {}
