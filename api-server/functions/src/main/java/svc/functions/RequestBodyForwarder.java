package svc.functions;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * Streams a request body to the function with back-pressure. A client that stops sending times out, because it would
 * occupy the process.
 */
final class RequestBodyForwarder {
    private static final long DISCARD_MS = 2_000;

    private final FunctionCall call;
    private final HttpServerRequest from;
    private final HttpClientRequest to;
    private final long limit;
    private long passed;
    private long silenceTimer = -1;
    private boolean moved;

    RequestBodyForwarder(FunctionCall call, HttpClientRequest to) {
        this.call = call;
        this.from = call.exchange().request();
        this.to = to;
        this.limit = call.route().requestLimit();
    }

    void start() {
        long announced = announced(from);
        if (announced > limit) {
            call.fail(FunctionError.requestTooLarge(limit));
            return;
        }
        boolean chunked = from.headers().contains(HttpHeaders.TRANSFER_ENCODING);
        if (chunked) {
            to.setChunked(true);
        } else if (announced > 0 || from.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
            to.putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(announced));
        }
        if (!chunked && announced == 0) {
            from.resume();
            to.end();
            return;
        }
        flow();
    }

    private void flow() {
        if ("100-continue".equalsIgnoreCase(from.getHeader(HttpHeaders.EXPECT))) {
            from.response().writeContinue();
        }
        from.handler(this::pass);
        from.endHandler(end -> {
            stopWatching();
            if (!call.isOver()) {
                to.end();
            }
        });
        watchSilence();
        from.resume();
    }

    private void pass(Buffer piece) {
        if (call.isOver()) {
            return;
        }
        moved = true;
        passed += piece.length();
        if (passed > limit) {
            stopWatching();
            call.fail(FunctionError.requestTooLarge(limit));
            return;
        }
        to.write(piece);
        if (to.writeQueueFull()) {
            from.pause();
            to.drainHandler(room -> {
                moved = true;
                from.resume();
            });
        }
    }

    private void watchSilence() {
        silenceTimer = call.vertx()
                .setTimer(call.services().config().bodyTimeout().toMillis(), silent -> {
                    if (call.isOver()) {
                        return;
                    }
                    if (moved) {
                        moved = false;
                        watchSilence();
                    } else {
                        call.fail(FunctionError.bodyTimeout());
                    }
                });
    }

    private void stopWatching() {
        if (silenceTimer >= 0) {
            call.vertx().cancelTimer(silenceTimer);
            silenceTimer = -1;
        }
    }

    /** In bytes; 0 without a Content-Length. The HTTP layer has rejected malformed numbers. */
    static long announced(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Discards the rest of the body for a while, then closes the connection. */
    static void discard(HttpServerRequest request, Vertx vertx) {
        if (request.isEnded()) {
            return;
        }
        request.handler(unread -> {});
        request.endHandler(end -> {});
        request.resume();
        vertx.setTimer(DISCARD_MS, late -> {
            if (!request.isEnded()) {
                request.connection().close();
            }
        });
    }
}
