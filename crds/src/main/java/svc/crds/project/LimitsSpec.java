package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Limits of the project in its database. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LimitsSpec(
        @Min(1) @Max(1000) @Default("20") @JsonPropertyDescription("Maximum connections of each login of the project.")
        Integer connections,

        @Min(1) @Max(3600) @Default("30") @JsonPropertyDescription("statement_timeout of each login, in seconds.")
        Integer statementTimeoutSeconds,

        @Min(1)
        @Max(3600)
        @Default("30")
        @JsonPropertyDescription("idle_in_transaction_session_timeout of each login, in seconds.")
        Integer idleInTransactionTimeoutSeconds,

        @Min(1) @Max(3600) @Default("10") @JsonPropertyDescription("lock_timeout of each login, in seconds.")
        Integer lockTimeoutSeconds,

        @Min(1) @Max(1048576) @Default("1024") @JsonPropertyDescription("temp_file_limit of each login, in MiB.")
        Integer tempFileLimitMB,

        @Default("{}") @JsonPropertyDescription("Numbers of objects in a shared database.")
        ObjectLimitsSpec objects) {

    public LimitsSpec {
        connections = connections == null ? 20 : connections;
        statementTimeoutSeconds = statementTimeoutSeconds == null ? 30 : statementTimeoutSeconds;
        idleInTransactionTimeoutSeconds =
                idleInTransactionTimeoutSeconds == null ? 30 : idleInTransactionTimeoutSeconds;
        lockTimeoutSeconds = lockTimeoutSeconds == null ? 10 : lockTimeoutSeconds;
        tempFileLimitMB = tempFileLimitMB == null ? 1024 : tempFileLimitMB;
        objects = objects == null ? ObjectLimitsSpec.defaults() : objects;
    }

    /** The defaults of an absent object. */
    public static LimitsSpec defaults() {
        return new LimitsSpec(null, null, null, null, null, null);
    }
}
