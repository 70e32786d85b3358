package svc.embedded.pods;

import java.time.Duration;

/**
 * What functions may take of the way to their project's address. A connection costs memory, a call also the gateway's
 * processor time; more connections than allowed are closed, more calls wait.
 *
 * @param connections open at a time
 * @param calls under way at a time
 * @param headTime from the opening of a connection to the end of its first request's head
 * @param idleTime from an answer to the end of the next request's head
 * @param waitTime of a call for its turn
 */
record GatewayLimits(Share connections, Share calls, Duration headTime, Duration idleTime, Duration waitTime) {
    static final GatewayLimits DEFAULT = new GatewayLimits(
            new Share(128, 192, 512),
            new Share(32, 64, 256),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofSeconds(30));

    /** The most that one function, one project, and all together may have. */
    record Share(int function, int project, int all) {}

    /** Whose share something counts against. */
    record Holder(String project, String function) {}
}
