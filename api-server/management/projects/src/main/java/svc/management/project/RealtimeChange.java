package svc.management.project;

import static svc.management.project.ConfigTable.plain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import svc.crds.project.service.RealtimeSpec;
import svc.management.json.JsonMergePatch;
import svc.management.json.StrictJson;
import svc.management.problem.JsonProblem;
import svc.management.project.ConfigTable.Setting;
import svc.platform.problem.ProblemException;

/**
 * A change of the settings of a project's realtime service, in the form of Supabase's Management API. Pure.
 *
 * @param patch a merge patch with the names of {@code Project.spec.realtime}
 */
record RealtimeChange(ObjectNode patch) {
    static final ConfigTable TABLE = new ConfigTable(
            "/realtime",
            List.of(
                    plain("private_only", "/privateOnly"),
                    plain("max_concurrent_users", "/maxConnections"),
                    plain("max_events_per_second", "/maxMessagesPerSecond"),
                    plain("max_channels_per_client", "/maxChannelsPerConnection"),
                    plain("max_joins_per_second", "/maxJoinsPerSecond"),
                    plain("max_presence_events_per_second", "/maxPresenceMessagesPerSecond"),
                    plain("max_payload_size_in_kb", "/maxPayloadKB"),
                    new Setting("suspend", "/enabled", ConfigForm.NEGATED)));

    private static final ObjectMapper JSON =
            StrictJson.get().copy().setPropertyNamingStrategy(PropertyNamingStrategies.LOWER_CAMEL_CASE);

    /** @throws ProblemException 400 with the fields that are no settings */
    static RealtimeChange of(ObjectNode body) {
        return new RealtimeChange(TABLE.patch(body, name -> false));
    }

    static ObjectNode shown(RealtimeSpec spec) {
        return TABLE.shown(JSON.valueToTree(spec));
    }

    /** Makes the pointers of a deserialization error begin at {@code /realtime}. */
    private record Holder(RealtimeSpec realtime) {}

    /** @throws ProblemException 400 with a pointer to a value of another type */
    RealtimeSpec over(RealtimeSpec current) {
        JsonNode merged = JsonMergePatch.apply(JSON.valueToTree(current), patch);
        try {
            return JSON.treeToValue(JSON.createObjectNode().set("realtime", merged), Holder.class)
                    .realtime();
        } catch (JsonProcessingException e) {
            throw JsonProblem.of(e).asException();
        }
    }
}
