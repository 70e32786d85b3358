package svc.platform.realtime;

import java.util.List;

/**
 * What a project has open of the realtime service in some processes.
 *
 * @param processes that have a socket of the project
 * @param connections open sockets
 * @param channels joined topics
 * @param subscriptions channels with table changes
 * @param joinsPerSecond in the last second or so, as {@code messagesPerSecond}
 * @param messagesPerSecond that came in, and that were delivered to channels
 * @param lagBytes of its database's log that its reader has not confirmed; the largest that a process knows
 */
public record RealtimeActivity(
        int processes,
        long connections,
        long channels,
        long subscriptions,
        long joinsPerSecond,
        long messagesPerSecond,
        long lagBytes) {
    /** Nothing. */
    public static final RealtimeActivity NONE = new RealtimeActivity(0, 0, 0, 0, 0, 0, 0);

    private static final int FIELDS = 6;

    /** Both together. */
    public RealtimeActivity and(RealtimeActivity other) {
        return new RealtimeActivity(
                processes + other.processes,
                connections + other.connections,
                channels + other.channels,
                subscriptions + other.subscriptions,
                joinsPerSecond + other.joinsPerSecond,
                messagesPerSecond + other.messagesPerSecond,
                Math.max(lagBytes, other.lagBytes));
    }

    /** Of one process, as it is kept in Redis. */
    String text() {
        return connections + " " + channels + " " + subscriptions + " " + joinsPerSecond + " " + messagesPerSecond + " "
                + lagBytes;
    }

    /** All of these together; what another version wrote otherwise counts as nothing. */
    static RealtimeActivity sum(List<String> texts) {
        return texts.stream().map(RealtimeActivity::of).reduce(NONE, RealtimeActivity::and);
    }

    private static RealtimeActivity of(String text) {
        String[] fields = text.split(" ");
        try {
            return fields.length < FIELDS
                    ? NONE
                    : new RealtimeActivity(
                            1,
                            Long.parseLong(fields[0]),
                            Long.parseLong(fields[1]),
                            Long.parseLong(fields[2]),
                            Long.parseLong(fields[3]),
                            Long.parseLong(fields[4]),
                            Long.parseLong(fields[5]));
        } catch (NumberFormatException e) {
            return NONE;
        }
    }
}
