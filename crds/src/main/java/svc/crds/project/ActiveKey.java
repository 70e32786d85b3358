package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import java.time.Instant;

/**
 * The version of one kind of key that is accepted now. A type of its own beside {@link KeyVersion}: an operator that was
 * away may see the spec two versions further, and must be able to write that down.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ActiveKey(
        @Required @Min(1) @JsonPropertyDescription("The version in force.")
        Integer version,

        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @JsonPropertyDescription("Until when the version before is accepted too.")
        Instant previousUntil) {

    public static ActiveKey of(KeyVersion wanted) {
        return new ActiveKey(wanted.version(), wanted.previousUntil());
    }

    /** Whether the version before this one is still accepted. */
    public boolean acceptsPrevious(Instant now) {
        return version > 1 && previousUntil != null && now.isBefore(previousUntil);
    }
}
