package svc.realtime.channel;

import svc.realtime.message.Broadcast;
import svc.realtime.message.Frame;
import svc.realtime.message.Serializer;

/** A message to a room: encoded at most once for each serializer, when the first member needs it. */
final class Outgoing {
    private final Broadcast broadcast;
    private volatile Frame first;
    private volatile Frame second;

    Outgoing(Broadcast broadcast) {
        this.broadcast = broadcast;
    }

    long sender() {
        return broadcast.sender();
    }

    /** Null for a member that cannot receive it. */
    Frame frame(Serializer serializer) {
        return switch (serializer) {
            case V1 -> {
                if (first == null) {
                    first = broadcast.frame(serializer);
                }
                yield first;
            }
            case V2 -> {
                if (second == null) {
                    second = broadcast.frame(serializer);
                }
                yield second;
            }
        };
    }
}
