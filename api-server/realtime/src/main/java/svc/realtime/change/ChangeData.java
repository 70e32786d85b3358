package svc.realtime.change;

import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import svc.realtime.message.Frame;

/**
 * The JSON object {@code data} of the event postgres_changes, and the frames that were made of it: a change is encoded once
 * for all channels of one topic with equal bindings. Thread-safe.
 */
public final class ChangeData {
    /** Each frame has the bytes of the change, and lives as long as the change waits for a receiver. */
    private static final int MAX_FRAMES = 4;

    private final Buffer json;
    private final Map<Object, Frame> frames = new ConcurrentHashMap<>(MAX_FRAMES);

    /** @param json in UTF-8; never written to */
    public ChangeData(Buffer json) {
        this.json = json;
    }

    /** In UTF-8. */
    public Buffer json() {
        return json;
    }

    /** The frame for receivers that this key stands for. */
    public Frame frame(Object key, Supplier<Frame> made) {
        Frame known = frames.get(key);
        if (known != null) {
            return known;
        }
        Frame frame = made.get();
        if (frames.size() < MAX_FRAMES) {
            frames.putIfAbsent(key, frame);
        }
        return frame;
    }
}
