package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** How many objects the project may have in a shared database, in all of its schemas together. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ObjectLimitsSpec(
        @Min(1)
        @Max(1000000)
        @Default("5000")
        @JsonPropertyDescription("Maximum tables, partitions, views, materialized views and sequences.")
        Integer relations,

        @Min(1)
        @Max(1000000)
        @Default("100000")
        @JsonPropertyDescription("Maximum columns of all relations and composite types.")
        Integer columns,

        @Min(1) @Max(1000000) @Default("10000") @JsonPropertyDescription("Maximum indexes.")
        Integer indexes,

        @Min(1) @Max(1000000) @Default("5000") @JsonPropertyDescription("Maximum functions, procedures and aggregates.")
        Integer functions,

        @Min(1) @Max(1000000) @Default("100") @JsonPropertyDescription("Maximum functions of one name.")
        Integer functionsOfOneName,

        @Min(1) @Max(1000000) @Default("100") @JsonPropertyDescription("Maximum operators.")
        Integer operators,

        @Min(1)
        @Max(1000000)
        @Default("2000")
        @JsonPropertyDescription("Maximum enumerations, domains, ranges and composite types.")
        Integer types,

        @Min(1) @Max(1000000) @Default("10000") @JsonPropertyDescription("Maximum policies.")
        Integer policies,

        @Min(1) @Max(1000000) @Default("10000") @JsonPropertyDescription("Maximum triggers.")
        Integer triggers) {

    public ObjectLimitsSpec {
        relations = relations == null ? 5000 : relations;
        columns = columns == null ? 100000 : columns;
        indexes = indexes == null ? 10000 : indexes;
        functions = functions == null ? 5000 : functions;
        functionsOfOneName = functionsOfOneName == null ? 100 : functionsOfOneName;
        operators = operators == null ? 100 : operators;
        types = types == null ? 2000 : types;
        policies = policies == null ? 10000 : policies;
        triggers = triggers == null ? 10000 : triggers;
    }

    /** The defaults of an absent object. */
    public static ObjectLimitsSpec defaults() {
        return new ObjectLimitsSpec(null, null, null, null, null, null, null, null, null);
    }
}
