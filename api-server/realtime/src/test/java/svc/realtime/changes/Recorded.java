package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import svc.realtime.change.ChangeData;
import svc.realtime.change.ChangeReceiver;
import svc.realtime.change.ChangeSubscription;

/** What one channel has received. */
final class Recorded implements ChangeReceiver {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .setNodeFactory(JsonNodeFactory.withExactBigDecimals(true));
    private static final long PATIENCE = 60;

    private final BlockingQueue<Event> changes = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> states = new LinkedBlockingQueue<>();
    private ChangeSubscription subscription;

    record Event(List<Integer> ids, JsonNode data) {
        String type() {
            return data.get("type").asText();
        }

        JsonNode record() {
            return data.get("record");
        }

        JsonNode old() {
            return data.get("old_record");
        }
    }

    void is(ChangeSubscription opened) {
        subscription = opened;
    }

    ChangeSubscription subscription() {
        return subscription;
    }

    @Override
    public void subscribed() {
        states.add("subscribed");
    }

    @Override
    public void refused(String message) {
        states.add("refused: " + message);
    }

    @Override
    public void changed(List<Integer> ids, ChangeData data) {
        try {
            changes.add(new Event(ids, JSON.readTree(data.json().toString(StandardCharsets.UTF_8))));
        } catch (JsonProcessingException e) {
            states.add("no JSON: " + data.json());
        }
    }

    @Override
    public void failed(String message) {
        states.add("failed: " + message);
    }

    void awaitSubscribed() {
        assertThat(nextState()).isEqualTo("subscribed");
    }

    String nextState() {
        return polled(states, PATIENCE);
    }

    Event next() {
        Event event = polled(changes, PATIENCE);
        assertThat(event).as("a change; states: %s", states).isNotNull();
        return event;
    }

    /** The column of the record of so many changes. */
    List<String> next(int count, String column) {
        return IntStream.range(0, count)
                .mapToObj(i -> next().record().get(column).asText())
                .toList();
    }

    /** After something that comes later has arrived elsewhere. */
    boolean hasNothing() {
        return changes.isEmpty();
    }

    List<String> states() {
        return List.copyOf(states);
    }

    List<Event> events() {
        return List.copyOf(changes);
    }

    private static <T> T polled(BlockingQueue<T> queue, long seconds) {
        try {
            return queue.poll(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
