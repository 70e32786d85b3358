package svc.sqlgate.parser;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * A few processes that read SQL, each for one caller at a time. A process that falls, hangs or grows is killed and replaced,
 * and its caller is refused: no text is ever read twice, no caller waits longer than {@link ParserTimes} allows, and
 * more callers than the queue holds are turned away at once. The JVM that holds the pool never parses SQL itself, so no
 * text can bring it down.
 */
public final class ParserPool implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ParserPool.class);

    /** Levels of a tree, not of SQL: one level of SQL is three or four. Nothing here walks a tree by recursion. */
    private static final int MAX_TREE_DEPTH = 30_000;

    private static final int MAX_STRING = 4 << 20;

    private final Supplier<SandboxHome> home;
    private final ParserLimits limits;
    private final Path scratch;
    private final ProcessWatch watch;
    private final Semaphore callers;
    private final BlockingDeque<Slot> free = new LinkedBlockingDeque<>();
    private final List<Slot> slots = new ArrayList<>();
    private final ObjectMapper json;
    private volatile boolean closed;

    /** Makes a pool and begins to start its processes in the background. */
    public ParserPool(Supplier<SandboxHome> home, ParserLimits limits) {
        this.home = home;
        this.limits = limits;
        this.callers = new Semaphore(limits.processes() + limits.waiting());
        this.watch = new ProcessWatch(limits.residentBytes());
        this.json = new ObjectMapper(JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_TREE_DEPTH)
                        .maxStringLength(MAX_STRING)
                        .build())
                .build());
        try {
            this.scratch = Files.createTempDirectory("svc-sandbox-");
        } catch (IOException e) {
            throw new UncheckedIOException("while making a folder for the sandbox", e);
        }
        for (int i = 0; i < limits.processes(); i++) {
            var slot = new Slot();
            slots.add(slot);
            replaceAndFree(slot);
        }
    }

    /** What came back for a request: one element per question, or why there is none. A refusal ends the lease. */
    sealed interface Answer {
        record Elements(JsonNode array) implements Answer {}

        record Refused(RefusedReason reason) implements Answer {}
    }

    /** Lends a process to a caller, who may have to wait for it. */
    ParserLease lease() {
        if (closed || !callers.tryAcquire()) {
            return ParserLease.refused(this, closed ? RefusedReason.UNAVAILABLE : RefusedReason.BUSY);
        }
        try {
            Slot slot = free.pollFirst(limits.times().queue().toMillis(), TimeUnit.MILLISECONDS);
            if (slot != null) {
                return ParserLease.of(this, slot);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        callers.release();
        return ParserLease.refused(this, RefusedReason.BUSY);
    }

    /** A process that nobody else wants at the moment: whoever holds one already must not wait for another. */
    Optional<ParserLease> spare() {
        if (closed || !callers.tryAcquire()) {
            return Optional.empty();
        }
        Slot slot = free.pollFirst();
        if (slot == null) {
            callers.release();
        }
        return Optional.ofNullable(slot).map(found -> ParserLease.of(this, found));
    }

    /** Longest content of a request, in bytes. */
    int contentBytes() {
        return limits.contentBytes();
    }

    /** Process ids of the processes that are up, for whoever watches them. */
    public List<Long> processIds() {
        return slots.stream()
                .map(slot -> slot.process)
                .filter(process -> process != null && process.isAlive())
                .map(ParserProcess::pid)
                .toList();
    }

    /**
     * One request of a caller to the process that was lent to it.
     *
     * @param content in the form of {@code parse/frame.ts}
     * @param count of the questions in it
     */
    Answer ask(Slot slot, byte[] content, int count) {
        try {
            if (slot.process == null || !slot.process.isAlive()) {
                slot.process = startProcess();
            }
        } catch (IOException | IllegalStateException e) {
            LOG.error("no SQL parser can be started", e);
            return new Answer.Refused(RefusedReason.UNAVAILABLE);
        }
        return exchange(slot.process, content, count);
    }

    /**
     * Takes a process back; not on the caller's thread, who has his answer.
     *
     * @param sound whether everything that was asked of the process was answered
     */
    void giveBack(Slot slot, boolean sound) {
        callers.release();
        Thread.ofVirtual().name("take-back-sql-parser").start(() -> takeBack(slot, sound));
    }

    private void takeBack(Slot slot, boolean sound) {
        if (sound && slot.process != null && slot.process.residentBytes() <= limits.recycleBytes() && forgets(slot)) {
            // Behind the others: it makes its next parser now.
            free.addLast(slot);
        } else {
            replaceAndFree(slot);
        }
    }

    private static boolean forgets(Slot slot) {
        try {
            slot.process.forget();
            return true;
        } catch (IOException e) {
            LOG.debugf("a SQL parser is gone: %s", e.getMessage());
            return false;
        }
    }

    private Answer exchange(ParserProcess process, byte[] content, int count) {
        byte[] answer;
        ProcessWatch.Guard guard =
                watch.guard(process, limits.times().work(), limits.times().deadline());
        try (guard) {
            answer = process.exchange(content);
        } catch (IOException e) {
            RefusedReason reason = guard.killedFor().orElse(RefusedReason.PARSER_FELL);
            LOG.warnf("a SQL parser was replaced: %s (%s)", reason, e.getMessage());
            return new Answer.Refused(reason);
        }
        try {
            JsonNode elements = json.readTree(answer);
            if (elements.isArray() && elements.size() == count) {
                return new Answer.Elements(elements);
            }
            LOG.warnf("a SQL parser was replaced: it gave no answer to each of %d questions", count);
            return new Answer.Refused(RefusedReason.PARSER_FELL);
        } catch (IOException e) {
            // Well-formed as the grammar wrote it, but deeper than we follow.
            return new Answer.Refused(RefusedReason.TOO_DEEP);
        }
    }

    private ParserProcess startProcess() throws IOException {
        ParserProcess process = ParserProcess.start(home.get(), limits, scratch);
        try (var guard =
                watch.guard(process, limits.times().start(), limits.times().start())) {
            process.awaitReady();
            return process;
        } catch (IOException e) {
            process.kill();
            throw new IOException("while starting a SQL parser" + lastWords(), e);
        }
    }

    private String lastWords() {
        try {
            String text = Files.readString(scratch.resolve("parser.err")).strip();
            return text.isEmpty() ? "" : ": " + text.substring(Math.max(0, text.length() - 500));
        } catch (IOException e) {
            return "";
        }
    }

    /** Not on the caller's thread: whoever comes next finds a process that is up already. */
    private void replaceAndFree(Slot slot) {
        Thread.ofVirtual().name("replace-sql-parser").start(() -> {
            try {
                slot.end();
                if (!closed) {
                    slot.process = startProcess();
                }
            } catch (IOException | RuntimeException e) {
                if (!closed) {
                    LOG.error("no SQL parser can be started; the next request tries again", e);
                }
            } finally {
                free.addLast(slot);
                if (closed) {
                    slot.end();
                }
            }
        });
    }

    /** Ends all processes; a request that is under way is refused. */
    @Override
    public void close() {
        closed = true;
        slots.forEach(Slot::end);
        watch.close();
        try (Stream<Path> files = Files.walk(scratch)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.debugf("the sandbox's folder %s stays behind: %s", scratch, e.getMessage());
        }
    }

    /** The place of one process, which it shares with its successors. */
    static final class Slot {
        private volatile ParserProcess process;

        void end() {
            ParserProcess ended = process;
            if (ended != null) {
                ended.kill();
            }
        }
    }
}
