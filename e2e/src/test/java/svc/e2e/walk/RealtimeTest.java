package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.ClientProgram;
import svc.e2e.running.SharedPlatform;

/** Broadcasts, presence and private channels by two unchanged versions of {@code realtime-js}: vsn 1.0.0 and 2.0.0. */
@ExtendWith(SharedPlatform.class)
class RealtimeTest {
    private static final String TABLES = """
            CREATE TABLE note (id int PRIMARY KEY, text text NOT NULL);
            CREATE POLICY readable ON realtime.messages FOR SELECT TO authenticated USING (realtime.topic() = 'secret');
            CREATE POLICY writable ON realtime.messages FOR INSERT TO authenticated WITH CHECK (realtime.topic() = 'secret');
            CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
            BEGIN
                PERFORM realtime.broadcast_changes('secret', TG_OP, TG_OP, TG_TABLE_NAME, TG_TABLE_SCHEMA, NEW, OLD);
                RETURN NULL;
            END $$;
            CREATE TRIGGER told AFTER INSERT ON note FOR EACH ROW EXECUTE FUNCTION tell();
            """;

    @Test
    void anApplicationSpeaksInRooms(Platform platform) throws Exception {
        JsonNode project = platform.controlPlane().create("rooms");
        platform.controlPlane().query(project.get("ref").asText(), TABLES).expect(201);
        JsonNode seen = ClientProgram.run(platform, project, "realtime.mjs", Map.of());
        String rows = platform.controlPlane()
                .query(project.get("ref").asText(), "SELECT count(*) FROM realtime.messages")
                .response()
                .body();
        assertThat(seen.toPrettyString())
                .as("with these messages in the database: %s", rows)
                .isEqualTo(new ObjectMapper().readTree("""
                        {
                          "subscribed": ["SUBSCRIBED", "SUBSCRIBED"],
                          "sent": "ok",
                          "greeting": {"text": "héllo", "n": 1},
                          "sentBack": "ok",
                          "answer": {"list": [1, 2]},
                          "requestStatus": 202,
                          "byRequest": {"p": 1},
                          "httpSend": true,
                          "single": {"s": 1},
                          "tracked": "ok",
                          "presence": "fine",
                          "present": ["ann"],
                          "left": "ann",
                          "refused": "CHANNEL_ERROR: \\"Unauthorized: You do not have permissions to read from this Channel topic: secret\\"",
                          "admitted": "SUBSCRIBED",
                          "sentSecret": "ok",
                          "own": {"a": 1},
                          "changed": {"schema": "public", "table": "note", "operation": "INSERT",
                            "record": {"text": "told"}, "old_record": null}
                        }""").toPrettyString());
    }
}
