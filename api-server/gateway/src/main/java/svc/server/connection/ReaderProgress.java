package svc.server.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;

/** What the reader of a connection takes of what is written for it. Runs on the connection's event loop. */
final class ReaderProgress {
    /** Bytes that a reader must take while it is watched once; fewer are as good as none. */
    private static final int MIN_TAKEN = 16 << 10;

    private final Channel channel;
    private long written;
    private long takenBefore;
    private long leftBefore;
    private long watchedSince = System.nanoTime();

    ReaderProgress(Channel channel) {
        this.channel = channel;
    }

    void written(int bytes) {
        written += bytes;
    }

    /** As of the last check. */
    boolean hasTakenAll() {
        return leftBefore == 0;
    }

    /**
     * Whether the reader took less than it must while it was watched. A single large buffer counts as pending until all of
     * it is sent, so its progress is taken into account.
     *
     * @param now by {@link System#nanoTime}
     * @param patience for which it may take less
     */
    boolean isStalled(long now, Duration patience) {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        long left = outbound == null ? 0 : outbound.totalPendingWriteBytes() - outbound.currentProgress();
        long taken = written - left;
        if (left <= 0 || leftBefore <= 0 || taken - takenBefore >= Math.min(leftBefore, MIN_TAKEN)) {
            leftBefore = Math.max(0, left);
            takenBefore = taken;
            watchedSince = now;
            return false;
        }
        return now - watchedSince > patience.toNanos();
    }
}
