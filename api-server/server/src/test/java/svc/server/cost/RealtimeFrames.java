package svc.server.cost;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Every message of the realtime protocol 2.0.0, each part of it long. */
final class RealtimeFrames {
    private static final List<String> SAMPLES = List.of(
            "[\"1\",\"1\",\"realtime:t\",\"phx_join\",{\"config\":{\"broadcast\":{\"ack\":true,\"replay\":{\"since\":1}},"
                    + "\"presence\":{\"key\":\"k\"},\"private\":false,\"postgres_changes\":[{\"event\":\"*\","
                    + "\"schema\":\"public\",\"table\":\"todo\",\"filter\":\"title=eq.x\",\"select\":[\"id\"]}]},"
                    + "\"access_token\":\"a.b.c\"}]",
            "[\"1\",\"2\",\"realtime:t\",\"broadcast\",{\"type\":\"broadcast\",\"event\":\"e\",\"payload\":{\"a\":\"b\"}}]",
            "[\"1\",\"3\",\"realtime:t\",\"presence\",{\"type\":\"presence\",\"event\":\"track\",\"payload\":{\"a\":\"b\"}}]",
            "[\"1\",\"4\",\"realtime:t\",\"access_token\",{\"access_token\":\"a.b.c\"}]",
            "[\"1\",\"5\",\"realtime:t\",\"phx_leave\",{}]",
            "[null,\"6\",\"phoenix\",\"heartbeat\",{}]",
            "[\"1\",\"7\",\"realtime:t\",\"unknown\",{\"a\":\"b\"}]");

    private RealtimeFrames() {}

    /** By their names. */
    static Map<String, IntFunction<String>> all() {
        Map<String, IntFunction<String>> frames = new LinkedHashMap<>();
        for (String sample : SAMPLES) {
            String event = sample.split("\"", 8)[sample.startsWith("[null") ? 5 : 7].replaceFirst("\".*", "");
            LongJson.of(sample).forEach(form -> frames.put(event + ": " + form.name(), form.text()));
        }
        frames.put("join: conditions and blanks", n -> join(filter("a=eq.x," + Shape.BLANKS.text(n))));
        frames.put("join: blanks in front of a condition", n -> join(filter(Shape.BLANKS.text(n) + "id=eq.1")));
        frames.put("join: commas in a value", n -> join(filter("id=eq." + Shape.COMMAS.text(n))));
        frames.put("join: a list of values", n -> join(filter("id=in.(1" + Shape.repeat(",1", n) + ")")));
        frames.put("join: many conditions", n -> join(filter("id=eq.1" + Shape.repeat(",id=eq.1", n))));
        frames.put(
                "join: bindings and conditions",
                n -> join(Shape.repeat(filter("id=eq.1" + Shape.repeat(",id=eq.1", 200)) + ",", n)
                        + filter("id=eq.1")));
        return frames;
    }

    private static String filter(String text) {
        return "{\"event\":\"*\",\"schema\":\"public\",\"table\":\"todo\",\"filter\":\"" + text + "\"}";
    }

    private static String join(String bindings) {
        return "[\"1\",\"1\",\"realtime:t\",\"phx_join\",{\"config\":{\"postgres_changes\":[" + bindings + "]}}]";
    }
}
