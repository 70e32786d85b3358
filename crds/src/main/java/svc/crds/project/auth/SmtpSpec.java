package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import svc.crds.reference.SecretKeyReference;

/** The project's SMTP server; the platform's if absent. */
@ValidationRule(
        value = "has(self.username) == has(self.passwordSecretRef)",
        message = "set username and passwordSecretRef, both or neither")
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record SmtpSpec(
        @Required @Size(min = 1, max = 253) @JsonPropertyDescription("Host name of the server.")
        String host,

        @Min(1) @Max(65535) @Default("587") @JsonPropertyDescription("Port of the server.")
        Integer port,

        @Size(max = 255) @JsonPropertyDescription("User name at the server.")
        String username,

        @JsonPropertyDescription("Reference to the password.")
        SecretKeyReference passwordSecretRef,

        @Required @Size(min = 3, max = 320) @Pattern("^[^@\\s]+@[^@\\s]+$") @JsonPropertyDescription("Sender address.")
        String from,

        @Size(max = 128) @Pattern("^[^\\p{Cc}]*$") @JsonPropertyDescription("Sender name.")
        String senderName) {

    public SmtpSpec {
        port = port == null ? 587 : port;
    }
}
