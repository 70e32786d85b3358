package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** One mail, with variables such as {{ .ConfirmationURL }}. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record MailTemplate(
        @Size(min = 1, max = 255) @Pattern("^[^\\p{Cc}]+$") @JsonPropertyDescription("Subject line.")
        String subject,

        @Size(min = 1, max = 32768) @JsonPropertyDescription("HTML body.")
        String body,

        @Size(max = 64)
        @JsonPropertyDescription("Translations; chosen by locale in the user metadata, or by Accept-Language.")
        List<MailTranslation> translations) {
    public MailTemplate {
        translations = translations == null ? List.of() : List.copyOf(translations);
    }
}
