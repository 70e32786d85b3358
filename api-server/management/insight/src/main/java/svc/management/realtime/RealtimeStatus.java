package svc.management.realtime;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.platform.realtime.RealtimeActivity;

/**
 * Realtime of a project at this moment. Counts are those of all instances, a second old; null while they are not known.
 *
 * @param publishedTables of the main schema, by name
 */
public record RealtimeStatus(
        @Schema(
                description = "Tables of the main schema whose changes are published, as in the publication"
                        + " supabase_realtime",
                examples = "[\"todos\"]")
        @JsonProperty("published_tables")
        List<String> publishedTables,

        @Schema(description = "Open sockets; null while it is not known, as with the other counts", nullable = true)
        Long connections,

        @Schema(description = "Joined topics", nullable = true)
        Long channels,

        @Schema(description = "Channels with table changes", nullable = true)
        Long subscriptions,

        @Schema(description = "Joins in a second", nullable = true) @JsonProperty("joins_per_second")
        Long joinsPerSecond,

        @Schema(description = "Messages in a second, from clients and to channels", nullable = true)
        @JsonProperty("messages_per_second")
        Long messagesPerSecond,

        @Schema(description = "Log of the database that waits to be read, in bytes", nullable = true)
        @JsonProperty("lag_bytes")
        Long lagBytes,

        @Schema(description = "Instances of the data plane with a socket of the project", nullable = true)
        Integer instances) {

    static RealtimeStatus of(List<String> publishedTables, Optional<RealtimeActivity> activity) {
        return new RealtimeStatus(
                publishedTables,
                activity.map(RealtimeActivity::connections).orElse(null),
                activity.map(RealtimeActivity::channels).orElse(null),
                activity.map(RealtimeActivity::subscriptions).orElse(null),
                activity.map(RealtimeActivity::joinsPerSecond).orElse(null),
                activity.map(RealtimeActivity::messagesPerSecond).orElse(null),
                activity.map(RealtimeActivity::lagBytes).orElse(null),
                activity.map(RealtimeActivity::processes).orElse(null));
    }
}
