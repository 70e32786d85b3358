package svc.operator.watch.rule;

import java.util.Optional;
import java.util.UUID;

/**
 * What a session has written to the write-ahead log. PostgreSQL counts it at the end of each transaction.
 *
 * @param bytes since the session began
 */
public record WalWritten(ProcessId id, Optional<UUID> owner, long bytes) {}
