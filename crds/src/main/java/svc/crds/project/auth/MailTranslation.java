package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A mail in another language. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record MailTranslation(
        @Required
        @Size(min = 2, max = 35)
        @Pattern("^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")
        @JsonPropertyDescription("Language tag, such as de or pt-BR.")
        String locale,

        @Size(min = 1, max = 255) @Pattern("^[^\\p{Cc}]+$") @JsonPropertyDescription("Subject line.")
        String subject,

        @Size(min = 1, max = 32768) @JsonPropertyDescription("HTML body.")
        String body) {}
