package svc.crds.project.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** A PostgreSQL cluster that the operator creates through CloudNativePG. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ClusterSpec(
        @Min(1)
        @Max(9)
        @Default("1")
        @JsonPropertyDescription("Number of PostgreSQL instances; 3 tolerate the loss of a node.")
        Integer instances,

        @Size(min = 1, max = 255)
        @Pattern("^[^\\s]+$")
        @JsonPropertyDescription("Container image of PostgreSQL 16 or newer; the operator's default if absent.")
        String imageName,

        @Required @JsonPropertyDescription("The volume of each instance.")
        VolumeSpec storage,

        @JsonPropertyDescription("Compute resources of each instance.")
        ResourcesSpec resources,

        @Size(max = 64) @JsonPropertyDescription("Additional PostgreSQL parameters.")
        Map<String, @Size(max = 1024) String> parameters) {

    public ClusterSpec {
        instances = instances == null ? 1 : instances;
        parameters = parameters == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(parameters));
    }
}
