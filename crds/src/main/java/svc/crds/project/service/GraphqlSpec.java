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

        @Default("true")
        @JsonPropertyDescription(
                "Whether __schema and __type are answered, with what the caller's role may use. The comment of a"
                        + " schema can switch it off, too.")
        Boolean introspection,

        @Min(1) @Max(100) @Default("15") @JsonPropertyDescription("Maximum nesting of an operation's fields.")
        Integer maxDepth,

        @Min(1)
        @Max(10000)
        @Default("30")
        @JsonPropertyDescription("Rows of a page of a collection, by default and at most; max_rows in a comment wins.")
        Integer maxRows,

        @Default("false")
        @JsonPropertyDescription(
                "Whether the schema has what pg_graphql does not: onConflict, filters and orders by related rows,"
                        + " filters of JSON, nested inserts, distinctOn.")
        Boolean extensions) {

    public GraphqlSpec {
        enabled = enabled == null ? true : enabled;
        introspection = introspection == null ? true : introspection;
        maxDepth = maxDepth == null ? 15 : maxDepth;
        maxRows = maxRows == null ? 30 : maxRows;
        extensions = extensions == null ? false : extensions;
    }

    /** The defaults of an absent object. */
    public static GraphqlSpec defaults() {
        return new GraphqlSpec(null, null, null, null, null);
    }
}
