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
        @JsonPropertyDescription("What the condition speaks of, such as Ready.")
        String type,

        @Required @JsonPropertyDescription("Whether it holds.")
        ConditionStatus status,

        @Min(0) @JsonPropertyDescription("The generation of the spec that was judged.")
        Long observedGeneration,

        @Required @JsonFormat(shape = JsonFormat.Shape.STRING) @JsonPropertyDescription("When the status last changed.")
        Instant lastTransitionTime,

        @Required
        @Size(min = 1, max = 1024)
        @Pattern("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")
        @JsonPropertyDescription("Why, in one word that programs may rely on.")
        String reason,

        @Required @Size(max = 32768) @JsonPropertyDescription("Why, in a sentence.")
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

    /** The same, its transition time taken from an earlier state of the same status: only a change of status is one. */
    Condition continuing(Condition earlier) {
        return earlier != null && earlier.status == status && earlier.lastTransitionTime != null
                ? new Condition(type, status, observedGeneration, earlier.lastTransitionTime, reason, message)
                : this;
    }
}
