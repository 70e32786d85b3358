package svc.crds.project.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** Resource requests and limits of a container. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ResourcesSpec(
        @JsonPropertyDescription("Resource requests of the container.")
        ResourceAmounts requests,

        @JsonPropertyDescription("Resource limits of the container.")
        ResourceAmounts limits) {}
