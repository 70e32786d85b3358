package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Instant;

/** The version of one kind of key. The key is derived from it: a higher version is another key. */
@ValidationRule(
        value = "self.version == oldSelf.version || self.version == oldSelf.version + 1",
        message = "version goes up by one at a time: lower versions are revoked, and only the previous one can overlap",
        fieldPath = ".version")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KeyVersion(
        @Min(1)
        @Max(1000000)
        @Default("1")
        @JsonPropertyDescription("The active version. Increase it by one to rotate the key.")
        Integer version,

        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @JsonPropertyDescription(
                "End of the overlap in which the previous version is accepted too; if absent, it is revoked immediately.")
        Instant previousUntil) {

    public KeyVersion {
        version = version == null ? 1 : version;
    }

    static KeyVersion first() {
        return new KeyVersion(null, null);
    }
}
