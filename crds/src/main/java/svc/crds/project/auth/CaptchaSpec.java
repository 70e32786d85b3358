package svc.crds.project.auth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.fabric8.generator.annotation.Required;
import svc.crds.reference.SecretKeyReference;

/** A captcha before sign-up, sign-in and recovery. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record CaptchaSpec(
        @Required @JsonPropertyDescription("Captcha provider.")
        CaptchaProvider provider,

        @Required @JsonPropertyDescription("Reference to the secret key of the provider.")
        SecretKeyReference secretKeyRef) {}
