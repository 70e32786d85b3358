package svc.platform.dataplane;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/**
 * Collects a request's body up to a limit. A body whose Content-Length exceeds the limit is rejected before it is read,
 * a chunked one at the byte that exceeds it. The rest is discarded for a while, so that a client that reads only after
 * writing gets the answer.
 */
public final class RequestBody {
    /** How long the rest of a rejected body is discarded before the connection is closed, in milliseconds. */
    private static final long DISCARD_MS = 2_000;

    private final HttpServerRequest request;
    private final long limit;
    private final Handler<Buffer> whole;
    private final Runnable tooLarge;
    private Buffer collected = Buffer.buffer(0);
    private boolean refused;

    private RequestBody(HttpServerRequest request, long limit, Handler<Buffer> whole, Runnable tooLarge) {
        this.request = request;
        this.limit = limit;
        this.whole = whole;
        this.tooLarge = tooLarge;
    }

    /**
     * Called on the event loop, which also calls exactly one of the callbacks, unless the connection breaks first.
     *
     * @param limit in bytes
     */
    public static void collect(HttpServerRequest request, long limit, Handler<Buffer> whole, Runnable tooLarge) {
        new RequestBody(request, limit, whole, tooLarge).start();
    }

    private void start() {
        request.handler(this::add);
        request.endHandler(end -> {
            if (!refused) {
                whole.handle(collected);
            }
        });
        if (announced() > limit) {
            refuse();
        } else if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
            request.response().writeContinue();
        }
        request.resume();
    }

    private long announced() {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    private void add(Buffer chunk) {
        if (refused) {
            return;
        }
        if (collected.length() + (long) chunk.length() > limit) {
            refuse();
        } else {
            collected.appendBuffer(chunk);
        }
    }

    private void refuse() {
        refused = true;
        collected = Buffer.buffer(0);
        tooLarge.run();
        Vertx.currentContext().owner().setTimer(DISCARD_MS, late -> {
            if (!request.isEnded()) {
                abort();
            }
        });
    }

    private void abort() {
        if (request.version() == HttpVersion.HTTP_2) {
            // Other requests share the connection.
            request.response().reset();
        } else {
            request.connection().close();
        }
    }
}
