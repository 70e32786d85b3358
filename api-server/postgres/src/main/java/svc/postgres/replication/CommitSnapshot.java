package svc.postgres.replication;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which transactions other sessions see, at one moment.
 *
 * @param begun the first number that no transaction had yet
 * @param running numbers below that of transactions that were still running
 */
public record CommitSnapshot(int begun, Set<Integer> running) {
    public CommitSnapshot {
        running = Set.copyOf(running);
    }

    /** PostgreSQL's {@code pg_snapshot}: {@code xmin:xmax:list}. Numbers count on beyond 32 bits there, and in the log they do not. */
    static CommitSnapshot parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new MalformedLogException("no snapshot: " + text);
        }
        return new CommitSnapshot(
                (int) Long.parseLong(parts[1]),
                Arrays.stream(parts[2].split(","))
                        .filter(number -> !number.isEmpty())
                        .map(number -> (int) Long.parseLong(number))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** Whether the rows of a transaction that has committed are seen. @param transaction as the log numbers it */
    public boolean sees(int transaction) {
        return transaction - begun < 0 && !running.contains(transaction);
    }
}
