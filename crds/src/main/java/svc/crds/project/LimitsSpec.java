package svc.crds.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** What the project may use of its database. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LimitsSpec(
        @Min(1) @Max(1000) @Default("20") @JsonPropertyDescription("Connections each login of the project may hold.")
        Integer connections,

        @Min(1) @Max(3600) @Default("30") @JsonPropertyDescription("Time one SQL statement may take.")
        Integer statementTimeoutSeconds,

        @Min(1) @Max(3600) @Default("30") @JsonPropertyDescription("Time a transaction may sit idle.")
        Integer idleInTransactionTimeoutSeconds,

        @Min(1) @Max(3600) @Default("10") @JsonPropertyDescription("Time a statement may wait for a lock.")
        Integer lockTimeoutSeconds,

        @Min(1)
        @Max(1048576)
        @Default("1024")
        @JsonPropertyDescription("Temporary files one session may write, in MiB.")
        Integer tempFileLimitMB) {

    public LimitsSpec {
        connections = connections == null ? 20 : connections;
        statementTimeoutSeconds = statementTimeoutSeconds == null ? 30 : statementTimeoutSeconds;
        idleInTransactionTimeoutSeconds =
                idleInTransactionTimeoutSeconds == null ? 30 : idleInTransactionTimeoutSeconds;
        lockTimeoutSeconds = lockTimeoutSeconds == null ? 10 : lockTimeoutSeconds;
        tempFileLimitMB = tempFileLimitMB == null ? 1024 : tempFileLimitMB;
    }

    /** What an absent object means. */
    public static LimitsSpec defaults() {
        return new LimitsSpec(null, null, null, null, null);
    }
}
