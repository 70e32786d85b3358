package svc.crds.condition;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * One aspect of a resource's state, as in metav1.Condition.
 *
 * @param lastTransitionTime when the status last changed, to the second: Kubernetes keeps no fractions
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Condition(
        @Required
        @Size(min = 1, max = 63)
        @Pattern("^[A-Za-z]([A-Za-z0-9]*[A-Za-z0-9])?$")
        @JsonPropertyDescription("Type of the condition, such as Ready.")
        String type,

        @Required @JsonPropertyDescription("Status of the condition: True, False or Unknown.")
        ConditionStatus status,

        @Min(0) @JsonPropertyDescription("metadata.generation for which the condition was set.")
        Long observedGeneration,

        @Required
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @JsonPropertyDescription("Time of the last change of status.")
        Instant lastTransitionTime,

        @Required
        @Size(min = 1, max = 1024)
        @Pattern("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")
        @JsonPropertyDescription("Machine-readable reason in CamelCase; programs may depend on it.")
        String reason,

        @Required @Size(max = 32768) @JsonPropertyDescription("Human-readable explanation, with what to do.")
        String message) {

    public Condition {
        lastTransitionTime = lastTransitionTime == null ? null : lastTransitionTime.truncatedTo(ChronoUnit.SECONDS);
        message = message == null ? "" : message;
    }

    @JsonIgnore
    public boolean isTrue() {
        return status == ConditionStatus.TRUE;
    }

    @JsonIgnore
    public boolean isFalse() {
        return status == ConditionStatus.FALSE;
    }

    /** The same with the transition time of an earlier condition of the same status: only a change of status is a transition. */
    Condition continuing(Condition earlier) {
        return earlier != null && earlier.status == status && earlier.lastTransitionTime != null
                ? new Condition(type, status, observedGeneration, earlier.lastTransitionTime, reason, message)
                : this;
    }
}
