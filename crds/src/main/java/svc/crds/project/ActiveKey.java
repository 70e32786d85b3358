package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import java.time.Instant;

/**
 * The accepted version of one kind of key. Unlike {@link KeyVersion} it may increase by more than one: after a downtime the
 * operator may see the spec two versions further.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ActiveKey(
        @Required @Min(1) @JsonPropertyDescription("The active version.")
        Integer version,

        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @JsonPropertyDescription("End of the overlap in which the previous version is accepted too.")
        Instant previousUntil) {

    public static ActiveKey of(KeyVersion wanted) {
        return new ActiveKey(wanted.version(), wanted.previousUntil());
    }

    /** Whether the previous version is still accepted. */
    public boolean acceptsPrevious(Instant now) {
        return version > 1 && previousUntil != null && now.isBefore(previousUntil);
    }
}
