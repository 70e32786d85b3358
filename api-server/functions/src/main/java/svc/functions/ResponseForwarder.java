package svc.functions;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;

/** Streams a function's response to the client with back-pressure. */
final class ResponseForwarder {
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final int FIRST_FINAL = 200;

    private final FunctionCall call;
    private final HttpClientResponse from;
    private final HttpServerResponse to;
    private final long limit;
    private long passed;

    ResponseForwarder(FunctionCall call, HttpClientResponse from) {
        this.call = call;
        this.from = from;
        this.to = call.exchange().request().response();
        this.limit = call.route().responseLimit();
    }

    void start() {
        from.exceptionHandler(broken -> call.breakOff());
        if (call.isOver()) {
            return;
        }
        if (from.statusCode() < FIRST_FINAL) {
            call.breakOff();
            return;
        }
        String length = from.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null && tooLong(length)) {
            call.fail(FunctionError.responseTooLarge(limit));
            return;
        }
        to.setStatusCode(from.statusCode());
        CallHeaders.back(from.headers(), to.headers());
        if (isWithoutBody()) {
            bodiless(length);
            return;
        }
        if (length == null) {
            to.setChunked(true);
        } else {
            to.putHeader(HttpHeaders.CONTENT_LENGTH, length);
        }
        flow();
    }

    private boolean tooLong(String length) {
        try {
            return Long.parseLong(length) > limit;
        } catch (NumberFormatException e) {
            return true;
        }
    }

    private boolean isWithoutBody() {
        return call.exchange().request().method().equals(HttpMethod.HEAD)
                || from.statusCode() == NO_CONTENT
                || from.statusCode() == NOT_MODIFIED;
    }

    private void bodiless(String length) {
        if (length != null && from.statusCode() != NO_CONTENT) {
            to.putHeader(HttpHeaders.CONTENT_LENGTH, length);
        }
        from.endHandler(end -> end());
    }

    private void flow() {
        if (from.getHeader(HttpHeaders.CONTENT_LENGTH) == null) {
            // An event stream may be silent at first: its head tells the client that it is open.
            to.write(Buffer.buffer());
        }
        from.handler(this::pass);
        from.endHandler(end -> end());
    }

    private void pass(Buffer piece) {
        if (call.isOver()) {
            return;
        }
        passed += piece.length();
        if (passed > limit) {
            call.fail(FunctionError.responseTooLarge(limit));
            return;
        }
        to.write(piece);
        if (to.writeQueueFull()) {
            from.pause();
            to.drainHandler(room -> from.resume());
        }
    }

    private void end() {
        if (!call.isOver()) {
            to.end().onFailure(gone -> to.close());
            call.succeed();
        }
    }
}
