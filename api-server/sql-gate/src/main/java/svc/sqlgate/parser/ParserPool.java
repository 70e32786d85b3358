package svc.sqlgate.parser;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import svc.platform.process.KillReason;
import svc.platform.process.ProcessLease;
import svc.platform.process.ProcessOutcome;
import svc.platform.process.ProcessPool;
import svc.platform.process.SandboxHome;

/**
 * The processes that read SQL. No text is ever read twice: the caller whose text ends a process is refused. This JVM
 * never parses SQL itself, so no text can bring it down.
 */
public final class ParserPool implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ParserPool.class);

    /** Levels of a tree, not of SQL: one level of SQL is three or four. Nothing here walks a tree by recursion. */
    private static final int MAX_TREE_DEPTH = 30_000;

    private static final int MAX_STRING = 4 << 20;

    private final ParserLimits limits;
    private final ProcessPool<ParserProcess> processes;
    private final ObjectMapper json;

    /** Makes a pool and begins to start its processes in the background. */
    public ParserPool(Supplier<SandboxHome> home, ParserLimits limits) {
        this.limits = limits;
        this.json = new ObjectMapper(JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_TREE_DEPTH)
                        .maxStringLength(MAX_STRING)
                        .build())
                .build());
        this.processes = new ProcessPool<>(limits.pool(), scratch -> ParserProcess.launch(home.get(), limits, scratch));
    }

    /** The answer to a request: one element per question, or why there is none. A refusal ends the lease. */
    sealed interface Answer {
        record Elements(JsonNode array) implements Answer {}

        record Refused(RefusedReason reason) implements Answer {}
    }

    /** Lends a process to a caller; waits in the queue. */
    ParserLease lease() {
        return processes
                .acquire()
                .map(lease -> ParserLease.of(this, lease))
                .orElseGet(() -> ParserLease.refused(
                        this, processes.isClosed() ? RefusedReason.UNAVAILABLE : RefusedReason.BUSY));
    }

    /** Lends a process that is free now: a caller that holds one already must not wait for another. */
    Optional<ParserLease> spare() {
        return processes.tryAcquire().map(lease -> ParserLease.of(this, lease));
    }

    /** Longest content of a request, in bytes. */
    int contentBytes() {
        return limits.contentBytes();
    }

    /** Process ids of the processes that are up. */
    public List<Long> processIds() {
        return processes.processIds();
    }

    /**
     * One request of a caller to the process that was lent to it.
     *
     * @param content in the form of {@code parse/frame.ts}
     * @param count of the questions in it
     */
    Answer ask(ProcessLease<ParserProcess> lease, byte[] content, int count) {
        return switch (lease.run(limits.request(), process -> process.exchange(content))) {
            case ProcessOutcome.Completed<byte[]> completed -> read(completed.answer(), count);
            case ProcessOutcome.Failed<byte[]> failed -> {
                RefusedReason reason =
                        failed.killedFor().map(ParserPool::reason).orElse(RefusedReason.PARSER_CRASHED);
                LOG.warnf(
                        "replacing a SQL parser: %s (%s)",
                        reason, failed.cause().getMessage());
                yield new Answer.Refused(reason);
            }
            case ProcessOutcome.NotStarted<byte[]> notStarted -> {
                LOG.error("no SQL parser can be started", notStarted.cause());
                yield new Answer.Refused(RefusedReason.UNAVAILABLE);
            }
        };
    }

    private static RefusedReason reason(KillReason killedFor) {
        return switch (killedFor) {
            case PROCESSOR_TIME -> RefusedReason.TOO_SLOW;
            case WALL_TIME -> RefusedReason.STARVED;
            case MEMORY -> RefusedReason.TOO_DEEP;
        };
    }

    private Answer read(byte[] answer, int count) {
        try {
            JsonNode elements = json.readTree(answer);
            if (elements.isArray() && elements.size() == count) {
                return new Answer.Elements(elements);
            }
            LOG.warnf("replacing a SQL parser: it did not answer each of %d questions", count);
            return new Answer.Refused(RefusedReason.PARSER_CRASHED);
        } catch (IOException e) {
            // Well-formed as the grammar wrote it, but deeper than we follow.
            return new Answer.Refused(RefusedReason.TOO_DEEP);
        }
    }

    /** Ends all processes; a request that is under way is refused. */
    @Override
    public void close() {
        processes.close();
    }
}
