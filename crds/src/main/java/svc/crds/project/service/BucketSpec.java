package svc.crds.project.service;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** A bucket that a project declares. An absent field is unlimited, or private. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BucketSpec(
        @Required
        @Size(min = 1, max = 100)
        @Pattern("^[A-Za-z0-9_!*'()&$@=;:+,?-]([A-Za-z0-9_!.*'() &$@=;:+,?-]*[A-Za-z0-9_!.*'()&$@=;:+,?-])?$")
        @JsonPropertyDescription("Name of the bucket; it cannot be changed later.")
        String name,

        @Default("false")
        @JsonProperty("public")
        @JsonPropertyDescription("Whether the files can be downloaded without a key.")
        Boolean isPublic,

        @Min(1)
        @Max(53687091200L)
        @JsonPropertyDescription("Maximum size of a file, in bytes; the project's limit if absent.")
        Long fileSizeLimit,

        @Size(max = 200)
        @JsonPropertyDescription("Media types of files that are accepted, such as image/*; all if absent.")
        List<
                        @Size(min = 3, max = 255)
                        @Pattern("^(\\*|[A-Za-z0-9!#$&^_.+-]{1,127})/(\\*|[A-Za-z0-9!#$&^_.+-]{1,127})$") String>
                allowedMimeTypes,

        @JsonPropertyDescription(
                "Whether replaced and deleted files are kept as versions; as it is set otherwise if absent.")
        Boolean versioning) {

    public BucketSpec {
        isPublic = isPublic == null ? false : isPublic;
        allowedMimeTypes = allowedMimeTypes == null ? List.of() : List.copyOf(allowedMimeTypes);
    }
}
