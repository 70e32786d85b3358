package svc.crds.secret;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import svc.crds.reference.SecretKeyReference;

/** The source of a value. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SecretSource(
        @Required @JsonPropertyDescription("A key of a Secret in the same namespace.")
        SecretKeyReference secretKeyRef) {}
