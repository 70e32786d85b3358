package svc.platform.egress;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;
import svc.platform.egress.EgressFailedException.Reason;
import svc.platform.memory.ByteBudget;

/**
 * Collects the answer to one request, up to a number of bytes, which its owner's account holds meanwhile. Hazard: the library's
 * own limit of time ends with the head of an answer, and its {@code body()} has no limit of bytes.
 */
public final class WholeResponse {
    private final HttpClientRequest request;
    private final int maxBytes;
    private final ByteBudget.Permit memory;
    private final Promise<EgressResponse> whole = Promise.promise();

    /** @param memory closed when the answer is whole, or never will be */
    public WholeResponse(HttpClientRequest request, int maxBytes, ByteBudget.Permit memory) {
        this.request = request;
        this.maxBytes = maxBytes;
        this.memory = memory;
    }

    /**
     * The answer within a time from now on.
     *
     * @param response to the request
     * @return fails, and ends the connection, when there is no whole answer by then
     */
    public Future<EgressResponse> within(Vertx vertx, Duration limit, Future<HttpClientResponse> response) {
        long timer = vertx.setTimer(
                limit.toMillis(), late -> fail(Reason.LATE, "it took longer than " + limit.toMillis() + " ms"));
        collect(response);
        return whole.future().onComplete(end -> {
            vertx.cancelTimer(timer);
            end();
        });
    }

    /** Sends the request with a body, which may be empty. The caller calls {@link #end} at its deadline at the latest. */
    Future<EgressResponse> of(Buffer body) {
        collect(body.length() == 0 ? request.send() : request.send(body));
        return whole.future();
    }

    /** Returns the memory, and ends the connection of an answer that is not whole. */
    void end() {
        memory.close();
        if (!whole.future().succeeded()) {
            request.reset();
        }
    }

    private void collect(Future<HttpClientResponse> response) {
        response.onSuccess(this::collect).onFailure(whole::tryFail);
    }

    private void collect(HttpClientResponse response) {
        Buffer collected = Buffer.buffer();
        response.handler(chunk -> {
            if (collected.length() + (long) chunk.length() > maxBytes) {
                fail(Reason.TOO_LONG, "its answer is longer than " + maxBytes + " bytes");
            } else if (memory.grow(chunk.length()) != ByteBudget.Verdict.GRANTED) {
                fail(Reason.BUSY, "the memory of the project is in use");
            } else {
                collected.appendBuffer(chunk);
            }
        });
        response.exceptionHandler(whole::tryFail);
        response.endHandler(
                end -> whole.tryComplete(new EgressResponse(response.statusCode(), response.headers(), collected)));
    }

    private void fail(Reason reason, String message) {
        whole.tryFail(new EgressFailedException(reason, message));
        request.reset();
    }
}
