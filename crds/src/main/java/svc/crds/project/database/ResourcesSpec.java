package svc.crds.project.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** What a container asks for and what it may use at most. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ResourcesSpec(
        @JsonPropertyDescription("What the container is promised.")
        ResourceAmounts requests,

        @JsonPropertyDescription("What the container may use at most.")
        ResourceAmounts limits) {}
