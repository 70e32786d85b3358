package svc.realtime.feed;

import java.time.Duration;

/**
 * Bounds of the change feed.
 *
 * @param checkTimeout the longest a check of row security may take
 * @param checksPerProject that run at once, of one project
 * @param publicationWait how long a subscription waits for its table to be published
 * @param subscribeTimeout how long Redis and the log may take until a subscription is refused
 * @param mute how long a group whose policy failed is left alone at first; doubles up to a minute
 * @param projectBytes changes of one project that wait, in bytes
 * @param groupBytes changes that wait for one group of callers, in bytes
 */
public record FeedSettings(
        Duration checkTimeout,
        int checksPerProject,
        Duration publicationWait,
        Duration subscribeTimeout,
        Duration mute,
        long projectBytes,
        long groupBytes) {
    public static FeedSettings defaults() {
        return new FeedSettings(
                Duration.ofSeconds(2),
                4,
                Duration.ofSeconds(6),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                16L << 20,
                4L << 20);
    }
}
