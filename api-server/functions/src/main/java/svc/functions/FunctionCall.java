package svc.functions;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import svc.platform.dataplane.DataPlaneExchange;

/**
 * One call of one function, from the choice of a process to the end of its response. Runs on the client's event loop. A
 * call is retried on another process only while nothing was sent to the first.
 */
final class FunctionCall {
    /** Longer than the function's own timeout, so that the runtime's error response arrives first. */
    private static final long GRACE_MS = 5_000;

    /** A process that cannot be reached is gone; the watch will report it shortly. */
    private static final long RETRY_MS = 50;

    private static final Duration UNREACHABLE = Duration.ofSeconds(3);

    private final CallServices services;
    private final DataPlaneExchange exchange;
    private final FunctionRoute route;
    private final String forward;
    private final Consumer<FunctionError> refusal;
    private final Vertx vertx;
    private final Set<SocketAddress> unreachable = new HashSet<>();
    private Optional<FunctionEndpoint> process = Optional.empty();
    private Optional<HttpClientRequest> upstream = Optional.empty();
    private Optional<Long> unreachableSince = Optional.empty();
    private long timer = -1;
    private boolean over;

    /**
     * @param forward the path to request from the process
     * @param refusal answers in place of the function
     */
    FunctionCall(
            CallServices services,
            DataPlaneExchange exchange,
            FunctionRoute route,
            String forward,
            Consumer<FunctionError> refusal) {
        this.services = services;
        this.exchange = exchange;
        this.route = route;
        this.forward = forward;
        this.refusal = refusal;
        Context context = Vertx.currentContext();
        this.vertx = context.owner();
    }

    DataPlaneExchange exchange() {
        return exchange;
    }

    FunctionRoute route() {
        return route;
    }

    CallServices services() {
        return services;
    }

    Vertx vertx() {
        return vertx;
    }

    boolean isOver() {
        return over;
    }

    void start() {
        HttpServerRequest request = exchange.request();
        request.response().closeHandler(gone -> abandon());
        request.exceptionHandler(broken -> abandon());
        attempt();
    }

    private void attempt() {
        if (over) {
            return;
        }
        Optional<FunctionEndpoint> free = services.processes().leastBusy(route.key(), unreachable);
        if (free.isPresent()) {
            forwardTo(free.get());
        } else if (!services.processes().of(route.key()).isEmpty()) {
            retryLater();
        } else if (route.unavailable().isPresent()) {
            fail(FunctionError.notDeployed(route.unavailable().get()));
        } else {
            services.activation()
                    .await(route)
                    .onSuccess(ready -> attempt())
                    .onFailure(failure -> fail(notActivated(failure)));
        }
    }

    private void retryLater() {
        if (System.nanoTime() - unreachableSince.orElseGet(System::nanoTime) > UNREACHABLE.toNanos()) {
            breakOff();
            return;
        }
        vertx.setTimer(RETRY_MS, again -> {
            unreachable.clear();
            attempt();
        });
    }

    private FunctionError notActivated(Throwable failure) {
        return failure instanceof Activation.NotActivated not && not.refusal() == Activation.Refusal.QUEUE_FULL
                ? FunctionError.overloaded()
                : FunctionError.didNotStart(services.config().activationWait().toSeconds());
    }

    private void forwardTo(FunctionEndpoint chosen) {
        if (chosen.calls() >= services.config().maxConcurrent()) {
            fail(FunctionError.overloaded());
            return;
        }
        chosen.begin();
        process = Optional.of(chosen);
        services.scaleDown().called(route.key());
        services.scaleUp().check(route);
        String query = CallHeaders.query(exchange.query());
        services.client()
                .request(chosen, exchange.request().method(), query.isEmpty() ? forward : forward + "?" + query)
                .onSuccess(request -> send(request))
                .onFailure(away -> {
                    release();
                    unreachable.add(chosen.address());
                    unreachableSince = unreachableSince.or(() -> Optional.of(System.nanoTime()));
                    attempt();
                });
    }

    private void send(HttpClientRequest request) {
        // The response future reports failures; without this handler Vert.x logs them as unhandled, a reset among them.
        request.exceptionHandler(reported -> {});
        if (over) {
            request.reset();
            return;
        }
        upstream = Optional.of(request);
        CallHeaders.forward(exchange.request(), request.headers(), exchange.requestId());
        long limit = route.limits().wallClockSeconds() * 1_000L + GRACE_MS;
        timer = vertx.setTimer(
                limit, late -> fail(FunctionError.timedOut(route.limits().wallClockSeconds())));
        if (WebSocketTunnel.isAsked(exchange.request())) {
            new WebSocketTunnel(this, request).open();
            return;
        }
        request.response()
                .onSuccess(answer -> new ResponseForwarder(this, answer).start())
                .onFailure(broken -> breakOff());
        new RequestBodyForwarder(this, request).start();
    }

    /** The process is gone, or has closed the connection: tells the client, and the function's log, which it no longer can. */
    void breakOff() {
        if (over) {
            return;
        }
        String message = exchange.request().response().headWritten()
                ? "the response broke off: the process ended, or gave it up"
                : "WORKER_ERROR: the process ended before it responded, because it ran out of memory or was killed;"
                        + " or it is unreachable";
        services.log().report(route.projectId(), route.name(), exchange.requestId(), message);
        fail(FunctionError.broken());
    }

    /** Answers in place of the function, or aborts a response that has begun. */
    void fail(FunctionError error) {
        if (!over) {
            finish(error.code());
            upstream.ifPresent(HttpClientRequest::reset);
            refusal.accept(error);
            discardBody();
        }
    }

    /** A socket has been opened: it lasts as long as its ends want. */
    void keepOpen() {
        vertx.cancelTimer(timer);
    }

    /** The response is complete. */
    void succeed() {
        if (!over) {
            finish("answered");
            if (!exchange.request().isEnded()) {
                // The function responded without reading the whole body.
                upstream.ifPresent(HttpClientRequest::reset);
                discardBody();
            }
        }
    }

    /** The client disconnected: abort the request to the function. */
    void abandon() {
        if (!over) {
            finish("caller_gone");
            upstream.ifPresent(HttpClientRequest::reset);
        }
    }

    private void finish(String outcome) {
        over = true;
        if (timer >= 0) {
            vertx.cancelTimer(timer);
        }
        release();
        services.scaleDown().called(route.key());
        services.metrics().ended(outcome);
    }

    private void release() {
        process.ifPresent(FunctionEndpoint::end);
        process = Optional.empty();
    }

    /** Discards the rest of the body for a while, so that a client that reads only after writing gets the answer. */
    private void discardBody() {
        RequestBodyForwarder.discard(exchange.request(), vertx);
    }
}
