package svc.crds.project.service;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;

/** An access key of the S3 protocol. It is valid while the project has it; its secret is derived of its id. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record S3AccessKeySpec(
        @Required
        @Size(min = 32, max = 32)
        @Pattern("^[0-9a-f]{32}$")
        @JsonPropertyDescription("The access key id that clients send.")
        String id,

        @Size(max = 100) @JsonPropertyDescription("What the key is for.")
        String name,

        @JsonFormat(shape = JsonFormat.Shape.STRING) @JsonPropertyDescription("When the key was created.")
        Instant createdAt) {}
