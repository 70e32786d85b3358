package svc.sqlgate.parser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import svc.platform.budget.Budget;
import svc.platform.budget.Permit;
import svc.platform.budget.SharedPlaces;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.memory.ByteBudget;
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

    /** Of a heap: the part that trees may take where they have a budget of their own. */
    private static final int SHARE_OF_HEAP = 3;

    private final ParserLimits limits;
    private final ProcessPool<ParserProcess> processes;
    private final SharedPlaces turns;
    private final Function<Caller, ByteBudget.Account> memory;

    /** A pool whose trees have a budget of their own: a share of the heap. */
    public ParserPool(Supplier<SandboxHome> home, ParserLimits limits) {
        this(home, limits, ownBudget());
    }

    /**
     * Makes a pool and begins to start its processes in the background.
     *
     * @param memory the account of an organisation, which the trees of its texts are charged to
     */
    public ParserPool(Supplier<SandboxHome> home, ParserLimits limits, Function<Caller, ByteBudget.Account> memory) {
        this.limits = limits;
        this.memory = memory;
        this.turns = new SharedPlaces("sql-parsers", limits.turns(), SharedPlaces.Division.BY_TIME);
        this.processes = new ProcessPool<>(limits.pool(), scratch -> ParserProcess.launch(home.get(), limits, scratch));
    }

    private static Function<Caller, ByteBudget.Account> ownBudget() {
        var budget = new ByteBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
        return caller -> budget.account(caller.organization());
    }

    /** The answer to a request: one element per question, or why there is none. A refusal ends the lease. */
    sealed interface Answer {
        record Elements(JsonNode array) implements Answer {}

        record Refused(RefusedReason reason) implements Answer {}
    }

    /**
     * Lends a process to a caller; waits for its turn.
     *
     * @param bytes of the text to read first
     */
    ParserLease lease(Caller caller, int bytes) {
        try {
            return turns.acquire(caller, limits.work(bytes), limits.times().queue())
                    .map(this::lease)
                    .orElseGet(this::unlent);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unlent();
        }
    }

    private ParserLease lease(Permit turn) {
        return processes
                .acquire()
                .map(lease -> ParserLease.of(this, lease, turn))
                .orElseGet(() -> {
                    turn.close();
                    return unlent();
                });
    }

    private ParserLease unlent() {
        return ParserLease.refused(this, processes.isClosed() ? RefusedReason.UNAVAILABLE : RefusedReason.BUSY);
    }

    /** Lends a process that is free now: a caller that holds one already must not wait for another. */
    Optional<ParserLease> spare(Caller caller, int bytes) {
        Optional<Permit> turn = turns.tryAcquire(caller, limits.work(bytes));
        Optional<ParserLease> lease =
                turn.flatMap(permit -> processes.tryAcquire().map(lent -> ParserLease.of(this, lent, permit)));
        if (lease.isEmpty()) {
            turn.ifPresent(Permit::close);
        }
        return lease;
    }

    /** The memory of a reading, in the account of its caller. */
    ReadingMemory memory(Caller caller) {
        return new ReadingMemory(memory.apply(caller), limits.times().memory());
    }

    /** For metrics. */
    Budget turns() {
        return turns.budget();
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
     * @param memory that the trees of the answer take
     */
    Answer ask(ProcessLease<ParserProcess> lease, byte[] content, int count, ReadingMemory memory) {
        return switch (lease.run(
                limits.request(), process -> process.exchange(content, answer -> read(answer, count, memory)))) {
            case ProcessOutcome.Completed<Answer> completed -> completed.answer();
            case ProcessOutcome.Failed<Answer> failed -> {
                RefusedReason reason =
                        failed.killedFor().map(ParserPool::reason).orElseGet(() -> reason(failed.cause()));
                LOG.warnf(
                        "replacing a SQL parser: %s (%s)",
                        reason, failed.cause().getMessage());
                yield new Answer.Refused(reason);
            }
            case ProcessOutcome.NotStarted<Answer> notStarted -> {
                LOG.error("no SQL parser can be started", notStarted.cause());
                yield new Answer.Refused(RefusedReason.UNAVAILABLE);
            }
        };
    }

    private static RefusedReason reason(IOException cause) {
        return cause instanceof MemoryRefusedException refused ? refused.reason() : RefusedReason.PARSER_CRASHED;
    }

    private static RefusedReason reason(KillReason killedFor) {
        return switch (killedFor) {
            case PROCESSOR_TIME -> RefusedReason.TOO_SLOW;
            case WALL_TIME -> RefusedReason.STARVED;
            case MEMORY -> RefusedReason.TOO_DEEP;
        };
    }

    private static Answer read(InputStream answer, int count, ReadingMemory memory) throws IOException {
        try {
            JsonNode elements = TreeReader.read(answer, memory);
            if (elements.isArray() && elements.size() == count) {
                return new Answer.Elements(elements);
            }
            LOG.warnf("replacing a SQL parser: it did not answer each of %d questions", count);
            return new Answer.Refused(RefusedReason.PARSER_CRASHED);
        } catch (MemoryRefusedException e) {
            return new Answer.Refused(e.reason());
        } catch (JsonProcessingException e) {
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
