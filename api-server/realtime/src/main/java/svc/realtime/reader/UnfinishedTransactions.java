package svc.realtime.reader;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import svc.platform.budget.Budget;
import svc.postgres.replication.LogMessage;
import svc.postgres.replication.MalformedLogException;
import svc.postgres.replication.UnfinishedMessage;

/**
 * The transactions that PostgreSQL sends in blocks while they run. They stay here until they commit, in the order of commits,
 * or fail. Used by the reading thread.
 */
final class UnfinishedTransactions implements AutoCloseable {
    private final ProjectTables projects;
    private final Budget memory;
    private final Map<Integer, UnfinishedTransaction> transactions = new HashMap<>();
    private Optional<UnfinishedTransaction> current = Optional.empty();

    UnfinishedTransactions(ProjectTables projects, Budget memory) {
        this.projects = projects;
        this.memory = memory;
    }

    /** A block of a transaction begins. */
    void begin(LogMessage.StreamStart start) {
        current = Optional.of(transactions.computeIfAbsent(
                start.transaction(), number -> new UnfinishedTransaction(projects, memory)));
    }

    /** Whether what comes is part of a block. */
    boolean isInBlock() {
        return current.isPresent();
    }

    /** A message of the block. */
    void add(ByteBuffer message) {
        current.orElseThrow().add(UnfinishedMessage.of(message));
    }

    /** Projects of transactions so large that others wait for them. */
    Set<UUID> delaying() {
        return transactions.values().stream()
                .flatMap(transaction -> transaction.delaying().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The block ends. */
    void end() {
        current = Optional.empty();
    }

    /** A transaction, or a part of one, has failed. */
    void abort(LogMessage.StreamAbort abort) {
        if (abort.transaction() == abort.subtransaction()) {
            Optional.ofNullable(transactions.remove(abort.transaction())).ifPresent(UnfinishedTransaction::close);
        } else {
            Optional.ofNullable(transactions.get(abort.transaction()))
                    .ifPresent(transaction -> transaction.abort(abort.subtransaction()));
        }
    }

    /** Takes out a transaction that has committed; the caller closes it. @throws MalformedLogException when no block was its */
    UnfinishedTransaction commit(int transaction) {
        return Optional.ofNullable(transactions.remove(transaction))
                .orElseThrow(() -> new MalformedLogException("a commit of a transaction that has not begun"));
    }

    @Override
    public void close() {
        transactions.values().forEach(UnfinishedTransaction::close);
        transactions.clear();
    }
}
