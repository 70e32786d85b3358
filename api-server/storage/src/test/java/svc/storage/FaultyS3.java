package svc.storage;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** The way to S3, on which calls fail as a test wants. */
final class FaultyS3 implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = vertx.createHttpClient();
    private final AtomicInteger faults = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger();
    private final Queue<HttpServerRequest> silent = new ConcurrentLinkedQueue<>();
    private final URI upstream;
    private final HttpServer server;
    private volatile Predicate<HttpServerRequest> which = call -> false;
    private volatile Fault fault = new Fault.Silence();

    /** What goes wrong. */
    sealed interface Fault {
        /** S3 refuses. */
        record Refusal(int status, String code) implements Fault {}

        /** The answer ends after so many bytes of its body. */
        record CutAnswer(int bytes) implements Fault {}

        /** S3 takes the call and never answers. */
        record Silence() implements Fault {}
    }

    FaultyS3(URI upstream) {
        this.upstream = upstream;
        this.server = vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.actualPort());
    }

    /** From now on so many of these calls fail. */
    void fail(int times, Predicate<HttpServerRequest> calls, Fault how) {
        faults.set(0);
        fault = how;
        which = calls;
        left.set(times);
    }

    void mend() {
        left.set(0);
        silent.forEach(call -> call.connection().close());
        silent.clear();
    }

    /** How many calls have failed. */
    int faults() {
        return faults.get();
    }

    private void handle(HttpServerRequest call) {
        boolean fails = which.test(call) && left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
        if (fails) {
            faults.incrementAndGet();
        }
        if (fails && fault instanceof Fault.Silence) {
            silent.add(call);
            return;
        }
        if (fails && fault instanceof Fault.Refusal(int status, String code)) {
            call.response()
                    .setStatusCode(status)
                    .putHeader("content-type", "application/xml")
                    .putHeader("connection", "close")
                    .end("<Error><Code>" + code + "</Code><Message>no</Message></Error>");
            return;
        }
        forward(call, fails && fault instanceof Fault.CutAnswer(int bytes) ? bytes : Integer.MAX_VALUE);
    }

    private void forward(HttpServerRequest call, int most) {
        call.pause();
        if (call.headers().contains("expect")) {
            call.response().writeContinue();
        }
        var options = new RequestOptions()
                .setMethod(call.method())
                .setHost(upstream.getHost())
                .setPort(upstream.getPort())
                .setURI(call.uri());
        client.request(options)
                .compose(request -> {
                    request.headers().setAll(call.headers()).remove("expect");
                    return request.send(call);
                })
                .onSuccess(answer -> pass(answer, call, most))
                .onFailure(gone -> call.connection().close());
    }

    private static void pass(HttpClientResponse answer, HttpServerRequest call, int most) {
        call.response().setStatusCode(answer.statusCode());
        call.response().headers().setAll(answer.headers());
        if (most == Integer.MAX_VALUE) {
            answer.pipeTo(call.response());
            return;
        }
        answer.handler(piece -> {
            call.response().write(piece.slice(0, Math.min(most, piece.length())));
            call.connection().close();
        });
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
