package svc.crds.project.service;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** The GraphQL endpoint of the project, /graphql/v1. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GraphqlSpec(
        @Default("true") @JsonPropertyDescription("Whether the endpoint is enabled.")
        Boolean enabled,

        @Default("true") @JsonPropertyDescription("Whether introspection is enabled.")
        Boolean introspection,

        @Min(1) @Max(100) @Default("15") @JsonPropertyDescription("Maximum depth of a query.")
        Integer maxDepth,

        @Min(1) @Max(10000) @Default("30") @JsonPropertyDescription("Maximum rows per collection page.")
        Integer maxRows) {

    public GraphqlSpec {
        enabled = enabled == null ? true : enabled;
        introspection = introspection == null ? true : introspection;
        maxDepth = maxDepth == null ? 15 : maxDepth;
        maxRows = maxRows == null ? 30 : maxRows;
    }

    /** The defaults of an absent object. */
    public static GraphqlSpec defaults() {
        return new GraphqlSpec(null, null, null, null);
    }
}
