package svc.storage.image;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import svc.platform.budget.Budget;
import svc.platform.budget.Permit;
import svc.platform.memory.ByteBudget;
import svc.platform.memory.ByteBudget.Verdict;
import svc.platform.process.ProcessOutcome;
import svc.platform.process.SandboxHome;
import svc.platform.tenancy.Tenant;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.http.StorageError;
import svc.storage.image.transform.Transform;

/**
 * Has images transformed by sandboxed processes, and keeps the results. This JVM never decodes an image: it hands the bytes of
 * a file on in windows, and takes the result.
 */
public final class ImageRenderer implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ImageRenderer.class);
    private static final int WINDOW = 1 << 20;
    private static final long MAX_SOURCE = 25L << 20;
    private static final int MAX_RESULT = 20 << 20;
    private static final Duration REMEMBERED = Duration.ofMinutes(10);
    private static final int MAX_REMEMBERED = 10_000;

    /** After so many refused transformations of a file, further ones are refused for a while. */
    private static final int MAX_REFUSALS = 3;

    private final ContentStore contents;
    private final RenderStore store;
    private final ImageProcesses processes;
    private final Optional<RenderTurns> turns;
    private final Predicate<Tenant> rate;
    private final long flightMillis;
    private final ConcurrentMap<RenderKey, CompletableFuture<Boolean>> flights = new ConcurrentHashMap<>();
    private final Cache<RenderKey, String> refusals = remembering();
    private final Cache<ContentKey, AtomicInteger> refusedContents = remembering();

    /**
     * @param home of the sandbox; fails where there is none
     * @param rate counts one new rendering of a project; false when it has had too many
     * @param threads of which each may wait
     */
    public ImageRenderer(
            ContentStore contents,
            RenderStore store,
            Supplier<SandboxHome> home,
            ImageLimits limits,
            Predicate<Tenant> rate,
            Executor threads) {
        this.contents = contents;
        this.store = store;
        this.processes = new ImageProcesses(home, limits, threads);
        this.turns = Optional.of(limits)
                .filter(some -> some.workers() > 0)
                .map(some -> new RenderTurns(some.workers(), some.waitingOfOne(), some.waiting(), some.patience()));
        this.rate = rate;
        this.flightMillis =
                limits.patience().plus(limits.job().wallTime().multipliedBy(2)).toMillis();
    }

    private static <K, V> Cache<K, V> remembering() {
        return Caffeine.newBuilder()
                .maximumSize(MAX_REMEMBERED)
                .expireAfterWrite(REMEMBERED)
                .build();
    }

    /**
     * What is to be made.
     *
     * @param size of the source, in bytes
     * @param format {@code origin}, {@code webp} or {@code avif}
     */
    record Request(Tenant tenant, RenderKey key, long size, Transform wanted, String format) {}

    /** A rendering. */
    record Rendered(byte[] bytes, String type) {}

    RenderStore store() {
        return store;
    }

    /** The turns of projects, for metrics; empty where no image is transformed. */
    public Optional<Budget> turns() {
        return turns.map(RenderTurns::budget);
    }

    /** Process ids of all decoders. */
    public List<Long> processIds() {
        return processes.processIds();
    }

    /** Process ids of the decoders that work. */
    public List<Long> workingIds() {
        return processes.workingIds();
    }

    /**
     * Makes a rendering and stores it. Empty when another caller did in the meantime: it is in the store then.
     *
     * @param permit grows by the bytes that are held
     * @throws StorageError for what is no image, or costs too much; when there is no turn, or no process
     */
    Optional<Rendered> render(Request request, ByteBudget.Permit permit) {
        RenderTurns order = turns.orElseThrow(StorageError::imagesUnavailable);
        refuseKnown(request);
        var own = new CompletableFuture<Boolean>();
        CompletableFuture<Boolean> running = flights.putIfAbsent(request.key(), own);
        if (running != null) {
            await(running);
            return Optional.empty();
        }
        try {
            // It may have been stored between the caller's look and the end of an earlier flight.
            if (store.read(request.key(), 0, 1).isPresent()) {
                return Optional.empty();
            }
            if (!rate.test(request.tenant())) {
                throw StorageError.imageRate();
            }
            Rendered made = inTurn(order, request, permit);
            keep(request, made);
            return Optional.of(made);
        } catch (RuntimeException e) {
            own.completeExceptionally(e);
            throw e;
        } finally {
            flights.remove(request.key(), own);
            own.complete(true);
        }
    }

    private void await(CompletableFuture<Boolean> running) {
        try {
            running.copy().orTimeout(flightMillis, TimeUnit.MILLISECONDS).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StorageError refused ? refused : StorageError.imagesBusy();
        }
    }

    private Rendered inTurn(RenderTurns order, Request request, ByteBudget.Permit permit) {
        try (Permit turn = order.take(request.tenant().ref()).orElseThrow(StorageError::imagesBusy)) {
            int window = (int) Math.min(WINDOW, request.size());
            // Without waiting: others wait for the turn.
            if (permit.grow(window) != Verdict.GRANTED) {
                throw StorageError.slowDown();
            }
            ContentKey content = request.key().content();
            byte[] first = contents.read(content, 0, window).orElseThrow(StorageError::noSuchObject);
            ProcessOutcome<Result> outcome = once(request, first, permit);
            if (outcome instanceof ProcessOutcome.Failed<Result> failed
                    && failed.killedFor().isEmpty()) {
                // It may have ended before it saw the image.
                outcome = once(request, first, permit);
            }
            return result(request, outcome);
        }
    }

    /** Of a process that still works. */
    private sealed interface Result {
        record Made(Rendered image) implements Result {}

        record Refused(StorageError why) implements Result {}
    }

    private ProcessOutcome<Result> once(Request request, byte[] first, ByteBudget.Permit permit) {
        return processes.run(request.tenant().ref(), process -> switch (process.ask(
                request.wanted(), request.format(), request.size(), out -> send(request, first, out))) {
            case ImageProcess.Answer.Refused refused -> {
                remember(request, refused.reason());
                yield new Result.Refused(StorageError.imageRefused(refused.reason()));
            }
            case ImageProcess.Answer.Image image -> take(image, permit);
        });
    }

    private void send(Request request, byte[] first, DataOutputStream out) throws IOException {
        out.write(first);
        for (long at = first.length; at < request.size(); at += WINDOW) {
            int window = (int) Math.min(WINDOW, request.size() - at);
            out.write(contents.read(request.key().content(), at, window).orElseThrow(StorageError::noSuchObject));
        }
    }

    private static Result take(ImageProcess.Answer.Image image, ByteBudget.Permit permit) throws IOException {
        if (image.length() > MAX_RESULT) {
            image.bytes().skipNBytes(image.length());
            return new Result.Refused(StorageError.imageRefused("The result is too big"));
        }
        if (permit.grow(image.length()) != Verdict.GRANTED) {
            image.bytes().skipNBytes(image.length());
            return new Result.Refused(StorageError.slowDown());
        }
        byte[] bytes = new byte[image.length()];
        image.bytes().readFully(bytes);
        return new Result.Made(new Rendered(bytes, image.type()));
    }

    private Rendered result(Request request, ProcessOutcome<Result> outcome) {
        return switch (outcome) {
            case ProcessOutcome.Completed<Result>(Result.Made(Rendered made)) -> made;
            case ProcessOutcome.Completed<Result>(Result.Refused(StorageError why)) -> throw why;
            case ProcessOutcome.Failed<Result> failed -> throw failed(request, failed);
            case ProcessOutcome.NotStarted<Result> notStarted -> {
                LOG.errorf(notStarted.cause(), "images cannot be transformed");
                throw StorageError.imagesUnavailable();
            }
        };
    }

    private StorageError failed(Request request, ProcessOutcome.Failed<Result> failed) {
        LOG.infof(
                "%s: a decoder of images ended: %s (%s)",
                request.tenant().ref(),
                failed.killedFor().map(Enum::name).orElse("by itself"),
                failed.cause().getMessage());
        if (failed.killedFor().isEmpty()) {
            return remember(request, "Source image cannot be processed");
        }
        return switch (failed.killedFor().get()) {
            case PROCESSOR_TIME -> remember(request, "Source image takes too much time");
            case MEMORY -> remember(request, "Source image needs too much memory");
            case WALL_TIME -> StorageError.imagesBusy();
        };
    }

    private StorageError remember(Request request, String reason) {
        refusals.put(request.key(), reason);
        refusedContents
                .get(request.key().content(), unused -> new AtomicInteger())
                .incrementAndGet();
        return StorageError.imageRefused(reason);
    }

    private void refuseKnown(Request request) {
        if (request.size() > MAX_SOURCE) {
            throw StorageError.imageRefused("Source image file is too big");
        }
        if (request.size() == 0) {
            throw StorageError.imageRefused("Source image type not supported");
        }
        String known = refusals.getIfPresent(request.key());
        if (known != null) {
            throw StorageError.imageRefused(known);
        }
        AtomicInteger refused = refusedContents.getIfPresent(request.key().content());
        if (refused != null && refused.get() >= MAX_REFUSALS) {
            throw StorageError.imageRefused("Source image cannot be processed");
        }
    }

    /** The caller has its image, whether it can be kept or not. */
    private void keep(Request request, Rendered made) {
        try {
            store.put(request.key(), made.type(), made.bytes());
        } catch (RuntimeException e) {
            LOG.debugf(e, "%s: a rendering is not kept", request.tenant().ref());
        }
    }

    @Override
    public void close() {
        processes.close();
    }
}
