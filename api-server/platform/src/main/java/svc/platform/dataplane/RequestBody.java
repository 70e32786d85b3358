package svc.platform.dataplane;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.function.Consumer;
import svc.platform.memory.ByteBudget;
import svc.platform.memory.ByteBudget.Verdict;
import svc.platform.memory.StructureWeight;

/**
 * Collects a request's body up to a limit, within the memory of its owner and at a minimum rate. A body whose
 * Content-Length exceeds the limit is refused before it is read, any other at the byte that exceeds it. The rest of a
 * refused one is discarded for a while, so that a client that reads only after writing gets the answer.
 */
public final class RequestBody {
    /** How long the rest of a refused body is discarded before the connection is closed, in milliseconds. */
    private static final long DISCARD_MS = 2_000;

    /** Interval between two checks of the rate, in milliseconds. */
    private static final long RATE_CHECK_MS = 1_000;

    /** Looks in a row that find the body too slow: this process may have been busy for the length of one. */
    private static final int SLOW_CHECKS = 2;

    private final HttpServerRequest request;
    private final BodyRules rules;
    private final ByteBudget.Permit memory;
    private final Consumer<Collected> whole;
    private final Consumer<Refusal> refused;
    private final StructureWeight weight = new StructureWeight();
    private final Vertx vertx = Vertx.currentContext().owner();
    private final long begun = System.nanoTime();
    private Buffer collected = Buffer.buffer(0);
    private boolean over;
    private int slowChecks;
    private long timer = -1;

    /**
     * A complete body.
     *
     * @param memory to be closed by the receiver, once nothing of the body is left
     */
    public record Collected(Buffer bytes, ByteBudget.Permit memory) {}

    /** Why a body is not accepted. */
    public enum Refusal {
        /** Longer than the limit. */
        TOO_LARGE,
        /** It takes more memory than its owner can ever have. */
        TOO_COSTLY,
        /** Its owner's memory is in use. */
        BUSY,
        /** It arrives too slowly. */
        TOO_SLOW
    }

    private RequestBody(
            HttpServerRequest request,
            BodyRules rules,
            ByteBudget.Permit memory,
            Consumer<Collected> whole,
            Consumer<Refusal> refused) {
        this.request = request;
        this.rules = rules;
        this.memory = memory;
        this.whole = whole;
        this.refused = refused;
    }

    /**
     * Called on the event loop, which also calls exactly one of the callbacks, unless the connection breaks first.
     *
     * @param memory holds the body as it arrives; closed here unless the body becomes whole
     */
    public static void collect(
            HttpServerRequest request,
            BodyRules rules,
            ByteBudget.Permit memory,
            Consumer<Collected> whole,
            Consumer<Refusal> refused) {
        new RequestBody(request, rules, memory, whole, refused).start();
    }

    /**
     * Collects a small body of one of the platform's own processes, which counts for no owner.
     *
     * @param limit in bytes
     */
    public static void collect(HttpServerRequest request, long limit, Handler<Buffer> whole, Runnable tooLarge) {
        collect(
                request,
                new BodyRules(limit, false, Duration.ofMinutes(1), 1),
                new ByteBudget(Long.MAX_VALUE).account("").open(),
                body -> whole.handle(body.bytes()),
                refusal -> tooLarge.run());
    }

    /** Whether a body follows the head of the request. */
    public static boolean isExpected(HttpServerRequest request) {
        return announced(request) > 0 || request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    }

    /** The Content-Length in bytes; 0 without one. */
    public static long announced(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Discards what comes of a body that is not read, for a while, then closes the connection. */
    public static void discard(HttpServerRequest request) {
        if (request.isEnded()) {
            return;
        }
        request.handler(unread -> {});
        request.resume();
        Vertx.currentContext().owner().setTimer(DISCARD_MS, late -> {
            if (!request.isEnded()) {
                abort(request);
            }
        });
    }

    private void start() {
        if (request.response().closed()) {
            // The client has left while its credentials were checked: no further event comes.
            end();
            return;
        }
        request.exceptionHandler(broken -> end());
        request.handler(this::add);
        request.endHandler(complete -> {
            if (!over) {
                over = true;
                stopTimer();
                whole.accept(new Collected(collected, memory));
            }
        });
        if (announced(request) > rules.limit()) {
            refuse(Refusal.TOO_LARGE);
            return;
        }
        if (isExpected(request)) {
            if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
                request.response().writeContinue();
            }
            // Most bodies arrive with their head, in this turn of the event loop: they need no timer.
            Vertx.currentContext().runOnContext(later -> startTimer());
        }
        request.resume();
    }

    private void startTimer() {
        if (!over) {
            timer = vertx.setPeriodic(RATE_CHECK_MS, now -> checkRate());
        }
    }

    private void add(Buffer chunk) {
        if (over) {
            return;
        }
        if (collected.length() + (long) chunk.length() > rules.limit()) {
            refuse(Refusal.TOO_LARGE);
            return;
        }
        Verdict verdict = memory.grow(
                rules.structured() ? weight.of(chunk.getByteBuf()) : StructureWeight.ofBytes(chunk.length()));
        switch (verdict) {
            case GRANTED -> collected.appendBuffer(chunk);
            case BUSY -> refuse(Refusal.BUSY);
            case TOO_LARGE -> refuse(Refusal.TOO_COSTLY);
        }
    }

    private void checkRate() {
        slowChecks = rules.tooSlow(collected.length(), (System.nanoTime() - begun) / 1_000_000) ? slowChecks + 1 : 0;
        if (slowChecks == SLOW_CHECKS) {
            refuse(Refusal.TOO_SLOW);
        }
    }

    private void refuse(Refusal why) {
        end();
        refused.accept(why);
        discard(request);
    }

    /** Nothing more is collected, and nothing is kept. */
    private void end() {
        if (!over) {
            over = true;
            collected = Buffer.buffer(0);
            memory.close();
            stopTimer();
        }
    }

    private void stopTimer() {
        if (timer >= 0) {
            vertx.cancelTimer(timer);
            timer = -1;
        }
    }

    private static void abort(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            // Other requests share the connection.
            request.response().reset();
        } else {
            request.connection().close();
        }
    }
}
