package svc.crds.project.service;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** The REST API of the project, /rest/v1. */
@ValidationRule(
        value = "has(self.anonRole) || !has(self.exposedSchemas) || self.exposedSchemas.all(s, s == 'public'"
                + " || s.matches('^[a-z_][a-z0-9_]{0,23}$') && !s.matches('^(pg|svc|proj)_') && !(s in ['auth', 'storage',"
                + " 'realtime', 'extensions', 'information_schema', 'graphql', 'graphql_public', 'cron', 'net', 'pgmq',"
                + " 'supabase_functions', 'vault']))",
        message =
                "exposedSchemas may name public and schemas made by CREATE SCHEMA: a to z, digits and underscores, 24 characters at most, and none of the platform's",
        fieldPath = ".exposedSchemas")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RestSpec(
        @Default("true") @JsonPropertyDescription("Whether the API is enabled.")
        Boolean enabled,

        @Size(max = 32)
        @JsonPropertyDescription(
                "Exposed schemas, the first is the default; public if empty. In a database that is not adopted: public, and schemas made by CREATE SCHEMA.")
        List<@Size(min = 1, max = 63) String> exposedSchemas,

        @Size(max = 16)
        @JsonPropertyDescription(
                "Schemas in search_path after the exposed one: public if absent, none if empty; for an adopted database.")
        List<@Size(min = 1, max = 63) String> extraSearchPath,

        @Min(1) @Max(1000000) @Default("1000") @JsonPropertyDescription("Maximum rows of a response.")
        Integer maxRows,

        @Default("false") @JsonPropertyDescription("Whether aggregate functions are enabled.")
        Boolean aggregates,

        @Default("false") @JsonPropertyDescription("Whether requests may get the execution plan.")
        Boolean plan,

        @Size(min = 1, max = 127)
        @JsonPropertyDescription("A function that runs in the transaction before each request, as schema.function.")
        String preRequest,

        @Default("Commit") @JsonPropertyDescription("How a request ends its transaction.")
        TransactionEnd txEnd,

        @Default("FollowPrivileges") @JsonPropertyDescription("What the OpenAPI document lists.")
        OpenApiMode openapiMode,

        @Size(min = 1, max = 63)
        @JsonPropertyDescription(
                "The role of requests without a token. Setting it adopts the database: its roles and schemas are not changed.")
        String anonRole,

        @Size(min = 1, max = 255)
        @JsonPropertyDescription("Path of the claim with the role, such as .role; for an adopted database.")
        String roleClaim,

        @Size(min = 1, max = 63)
        @JsonPropertyDescription(
                "A function of the exposed schema whose result GET /rest/v1/ answers instead of the OpenAPI document.")
        String rootSpec,

        @Default("Verbose") @JsonPropertyDescription("What the body of an error has.")
        ErrorVerbosity errorVerbosity) {

    public RestSpec {
        enabled = enabled == null ? true : enabled;
        exposedSchemas = exposedSchemas == null ? List.of() : exposedSchemas;
        maxRows = maxRows == null ? 1000 : maxRows;
        aggregates = aggregates == null ? false : aggregates;
        plan = plan == null ? false : plan;
        txEnd = txEnd == null ? TransactionEnd.COMMIT : txEnd;
        openapiMode = openapiMode == null ? OpenApiMode.FOLLOW_PRIVILEGES : openapiMode;
        errorVerbosity = errorVerbosity == null ? ErrorVerbosity.VERBOSE : errorVerbosity;
    }

    /** The schema of an adopted database for requests without a profile header; PostgREST's default if absent. */
    public String firstExposedSchema() {
        return exposedSchemas.stream().findFirst().orElse("public");
    }

    /** The schemas in search_path after the exposed one; PostgREST's default if absent. */
    public List<String> searchedSchemas() {
        return extraSearchPath == null ? List.of("public") : extraSearchPath;
    }

    /** The defaults of an absent object. */
    public static RestSpec defaults() {
        return new RestSpec(null, null, null, null, null, null, null, null, null, null, null, null, null);
    }
}
