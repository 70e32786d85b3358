package svc.realtime.channel;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The channels of this process that have joined one topic. Each event loop has its own list of them, so that a message for
 * thousands takes one task per loop.
 */
final class Room {
    private final Map<EventLoop, List<Channel>> members = new ConcurrentHashMap<>();

    /** Called on the channel's event loop, as is {@link #leave}. */
    void enter(Channel channel) {
        members.computeIfAbsent(channel.loop(), loop -> new ArrayList<>()).add(channel);
    }

    void leave(Channel channel) {
        List<Channel> here = members.get(channel.loop());
        if (here != null && here.remove(channel) && here.isEmpty()) {
            members.remove(channel.loop(), here);
        }
    }

    /** Runs an action for each channel on its event loop. Calls from one thread keep their order. */
    void each(Consumer<Channel> action) {
        members.forEach((loop, here) -> {
            if (loop.inEventLoop()) {
                all(here, action);
            } else {
                loop.execute(() -> all(here, action));
            }
        });
    }

    /** A channel may leave while it receives. */
    private static void all(List<Channel> here, Consumer<Channel> action) {
        for (int index = here.size() - 1; index >= 0; index--) {
            if (index < here.size()) {
                action.accept(here.get(index));
            }
        }
    }
}
