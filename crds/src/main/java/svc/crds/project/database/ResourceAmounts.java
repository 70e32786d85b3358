package svc.crds.project.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Quantity;

/** Amounts of compute. Absent means that the cluster decides. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ResourceAmounts(
        @JsonPropertyDescription("Processor time, such as 500m or 2.")
        Quantity cpu,

        @JsonPropertyDescription("Memory, such as 512Mi.") Quantity memory) {}
