package svc.crds.project.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Quantity;

/** Amounts of compute resources; the cluster's defaults if absent. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ResourceAmounts(
        @JsonPropertyDescription("CPU, such as 500m or 2.") Quantity cpu,

        @JsonPropertyDescription("Memory, such as 512Mi.") Quantity memory) {}
