package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;

/** Where the project lives. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProjectDatabase(
        @Size(max = 253)
        @JsonPropertyDescription("The configured shared database, or the Secret or cluster of a dedicated one.")
        String name,

        @Size(max = 253) @JsonPropertyDescription("Host of the server.")
        String host,

        @Min(1) @Max(65535) @JsonPropertyDescription("Port of the server.")
        Integer port,

        @Size(max = 63) @JsonPropertyDescription("Database on the server.")
        String databaseName,

        @JsonPropertyDescription("How the schemas beside the project's own are named.")
        DatabaseLayout layout) {}
