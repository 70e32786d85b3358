package svc.realtime.channel;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.platform.json.ForeignJson;
import svc.realtime.change.ChangeBinding;
import svc.realtime.change.NumberedBinding;

/**
 * What the payload of {@code phx_join} asks for. A member of the wrong type counts as absent, as Supabase has it.
 *
 * @param ack whether a broadcast is answered
 * @param replicationReady whether the channel hears when messages of the database arrive
 * @param self whether the sender receives its own broadcasts
 * @param replay which earlier broadcasts to send
 * @param presence whether the channel receives presences; clients before {@code presence.enabled} always do
 * @param presenceKey empty for a random one
 * @param bindings numbered, in the client's order
 * @param echo the bindings as JSON, with their numbers: the reply to the join
 * @param token the member access_token
 */
record JoinConfig(
        boolean ack,
        boolean replicationReady,
        boolean self,
        Optional<ReplayRange> replay,
        boolean presence,
        String presenceKey,
        boolean isPrivate,
        List<NumberedBinding> bindings,
        String echo,
        Optional<String> token) {
    /** Bindings of one channel. */
    private static final int MAX_BINDINGS = 100;

    /** A channel with its parts, without texts, in bytes of heap; a binding with its parsed form; one of its conditions. */
    private static final int CHANNEL_BYTES = 2_048;

    private static final int BINDING_BYTES = 512;
    private static final int CONDITION_BYTES = 256;
    private static final int TEXT_BYTES = 64;

    /** A token stays as it is, as claims, and as the claims that group subscribers. */
    private static final int COPIES_OF_TOKEN = 3;

    private static final ObjectMapper JSON = ForeignJson.mapper();
    private static final Set<String> EVENTS = Set.of("*", "INSERT", "UPDATE", "DELETE");

    /**
     * @param since milliseconds since 1970
     * @param limit 1 to 25
     */
    record ReplayRange(long since, int limit) {
        private static final int MAX = 25;

        private static Optional<ReplayRange> of(JsonNode replay) {
            JsonNode since = replay.path("since");
            if (!since.isIntegralNumber() || !since.canConvertToLong()) {
                return Optional.empty();
            }
            JsonNode limit = replay.path("limit");
            int most = limit.isIntegralNumber() ? Math.clamp(limit.asLong(), 1, MAX) : MAX;
            return Optional.of(new ReplayRange(since.longValue(), most));
        }
    }

    /** @param payload JSON text; anything but an object asks for the defaults */
    static JoinConfig of(String payload) {
        JsonNode join = read(payload);
        JsonNode config = join.path("config");
        JsonNode broadcast = config.path("broadcast");
        JsonNode presence = config.path("presence");
        ArrayNode echo = JSON.createArrayNode();
        List<NumberedBinding> bindings = bindings(config.path("postgres_changes"), echo);
        String key = presence.path("key").isTextual() ? presence.path("key").textValue() : "";
        return new JoinConfig(
                flag(broadcast.path("ack")),
                flag(broadcast.path("replication_ready")),
                flag(broadcast.path("self")),
                ReplayRange.of(broadcast.path("replay")),
                presence.isObject() && (presence.path("enabled").isMissingNode() || flag(presence.path("enabled"))),
                key,
                flag(config.path("private")),
                bindings,
                echo.toString(),
                token(join));
    }

    /** The member access_token of a payload; empty if it is null. */
    static Optional<String> token(String payload) {
        return token(read(payload));
    }

    /** What a channel with this configuration keeps, in bytes of heap; at least what it takes, whatever the texts are. */
    long weight() {
        long bytes = CHANNEL_BYTES
                + text(echo)
                + text(presenceKey)
                + token.map(JoinConfig::weightOfToken).orElse(0L);
        for (NumberedBinding numbered : bindings) {
            ChangeBinding binding = numbered.binding();
            bytes += BINDING_BYTES + text(binding.event()) + text(binding.schema());
            bytes += binding.table().map(JoinConfig::text).orElse(0L);
            bytes += binding.filter()
                    .map(filter -> 2 * text(filter)
                            + CONDITION_BYTES
                                    * (1 + filter.chars().filter(c -> c == ',').count()))
                    .orElse(0L);
            bytes += binding.select().stream()
                    .flatMap(List::stream)
                    .mapToLong(JoinConfig::text)
                    .sum();
        }
        return bytes;
    }

    static long weightOfToken(String token) {
        return COPIES_OF_TOKEN * text(token);
    }

    private static long text(String text) {
        return TEXT_BYTES + 2L * text.length();
    }

    private static Optional<String> token(JsonNode payload) {
        return Optional.of(payload.path("access_token"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue);
    }

    private static JsonNode read(String payload) {
        try {
            return JSON.readTree(payload);
        } catch (JsonProcessingException e) {
            return JSON.createObjectNode();
        }
    }

    private static boolean flag(JsonNode node) {
        return node.isBoolean() ? node.booleanValue() : "true".equals(node.textValue());
    }

    /** Equal bindings have one number; numbers are those of the texts, so that a rejoin gets the same. */
    private static List<NumberedBinding> bindings(JsonNode asked, ArrayNode echo) {
        List<NumberedBinding> bindings = new ArrayList<>();
        Map<ChangeBinding, Integer> numbers = new HashMap<>();
        Set<Integer> taken = new HashSet<>();
        for (JsonNode each : asked.isArray() ? asked : JSON.createArrayNode()) {
            if (bindings.size() == MAX_BINDINGS || !(each instanceof ObjectNode object)) {
                continue;
            }
            ChangeBinding binding = binding(object);
            int id = numbers.computeIfAbsent(binding, added -> number(added, taken));
            bindings.add(new NumberedBinding(id, binding));
            ObjectNode answer = JSON.createObjectNode().put("id", id);
            answer.setAll(object);
            echo.add(answer.put("id", id));
        }
        return bindings;
    }

    private static int number(ChangeBinding binding, Set<Integer> taken) {
        int id = Math.floorMod(binding.hashCode(), Integer.MAX_VALUE - MAX_BINDINGS) + 1;
        while (!taken.add(id)) {
            id++;
        }
        return id;
    }

    private static ChangeBinding binding(ObjectNode binding) {
        String event = binding.path("event").asText("*").toUpperCase(Locale.ROOT);
        Optional<List<String>> select = Optional.empty();
        if (binding.path("select").isArray()) {
            List<String> columns = new ArrayList<>();
            binding.path("select").forEach(column -> columns.add(column.asText()));
            select = Optional.of(columns);
        }
        return new ChangeBinding(
                EVENTS.contains(event) ? event : binding.path("event").asText(),
                binding.path("schema").asText("public"),
                text(binding.path("table")),
                text(binding.path("filter")),
                select);
    }

    private static Optional<String> text(JsonNode node) {
        return Optional.of(node)
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .filter(text -> !text.isEmpty());
    }
}
