package svc.storage.egress;

import java.time.YearMonth;
import java.util.UUID;

/** Bytes that the files of projects have sent, by month and over all instances. */
@FunctionalInterface
public interface SentBytes {
    /**
     * Adds to the bytes of a month.
     *
     * @param bytes zero only asks
     * @return all of the month
     * @throws RuntimeException when they cannot be counted now
     */
    long add(UUID projectId, YearMonth month, long bytes);
}
