package svc.realtime.presence;

import svc.realtime.message.RawJson;
import svc.realtime.message.RoomKey;

/**
 * What one channel tracks on its topic.
 *
 * @param channel its number, unique over all processes
 * @param key may be that of other channels, too
 * @param ref changes with each call of track
 * @param previous ref before the last change, or empty
 * @param meta a JSON object as text
 */
record Presence(RoomKey room, long channel, String key, String ref, String previous, String meta) {
    /** Beside its texts, in bytes of heap. */
    private static final int OVERHEAD = 256;

    long weight() {
        return OVERHEAD + 2L * (room.topic().length() + key.length() + meta.length());
    }

    /** About the characters that it takes in a message; never 0. */
    long length() {
        return 64L + key.length() + meta.length();
    }

    /** The client's object with the refs, which come last so that they win over members of these names. */
    String json() {
        String open = meta.substring(0, meta.lastIndexOf('}')).stripTrailing();
        StringBuilder json = new StringBuilder(open.length() + 64).append(open);
        json.append(open.endsWith("{") ? "" : ",").append("\"phx_ref\":").append(RawJson.quote(ref));
        if (!previous.isEmpty()) {
            json.append(",\"phx_ref_prev\":").append(RawJson.quote(previous));
        }
        return json.append('}').toString();
    }
}
