package svc.crds.project.service;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Realtime channels of the project, /realtime/v1. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RealtimeSpec(
        @Default("true") @JsonPropertyDescription("Whether the service is enabled.")
        Boolean enabled,

        @Default("false")
        @JsonPropertyDescription("Whether only private channels, with row-level security, may be joined.")
        Boolean privateOnly,

        @Min(1) @Max(100000) @Default("500") @JsonPropertyDescription("Maximum concurrent sockets.")
        Integer maxConnections,

        @Min(1) @Max(1000) @Default("100") @JsonPropertyDescription("Maximum channels per socket.")
        Integer maxChannelsPerConnection,

        @Min(1) @Max(100000) @Default("500") @JsonPropertyDescription("Maximum joins per second.")
        Integer maxJoinsPerSecond,

        @Min(1) @Max(100000) @Default("500") @JsonPropertyDescription("Maximum messages in and out per second.")
        Integer maxMessagesPerSecond,

        @Min(1) @Max(10240) @Default("256") @JsonPropertyDescription("Maximum size of a broadcast, in KiB.")
        Integer maxPayloadKB,

        @Min(1) @Max(100000) @Default("50") @JsonPropertyDescription("Maximum presence messages per second.")
        Integer maxPresenceMessagesPerSecond,

        @Min(1) @Max(100) @Default("10") @JsonPropertyDescription("Maximum keys of what a client tracks.")
        Integer maxPresenceKeys) {

    public RealtimeSpec {
        enabled = enabled == null ? true : enabled;
        privateOnly = privateOnly == null ? false : privateOnly;
        maxConnections = maxConnections == null ? 500 : maxConnections;
        maxChannelsPerConnection = maxChannelsPerConnection == null ? 100 : maxChannelsPerConnection;
        maxJoinsPerSecond = maxJoinsPerSecond == null ? 500 : maxJoinsPerSecond;
        maxMessagesPerSecond = maxMessagesPerSecond == null ? 500 : maxMessagesPerSecond;
        maxPayloadKB = maxPayloadKB == null ? 256 : maxPayloadKB;
        maxPresenceMessagesPerSecond = maxPresenceMessagesPerSecond == null ? 50 : maxPresenceMessagesPerSecond;
        maxPresenceKeys = maxPresenceKeys == null ? 10 : maxPresenceKeys;
    }

    /** The defaults of an absent object. */
    public static RealtimeSpec defaults() {
        return new RealtimeSpec(null, null, null, null, null, null, null, null, null);
    }
}
