package svc.platform.egress;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.RequestOptions;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import svc.platform.budget.Lifetime;
import svc.platform.egress.EgressFailedException.Reason;

/**
 * One call under way, from resolving its name to the last byte of its answer, on one context. It ends once, at its deadline at
 * the latest; with it end its connection, its place among the calls of its owner and the memory of its answer.
 *
 * <p>Hazard: a connection that is still being made cannot be ended, so its place is kept until it is made or has failed, which
 * has a limit of its own in the client.
 */
final class EgressExchange {
    private final Context context;
    private final CallShares shares;
    private final CallOwner owner;
    private final EgressCall call;
    private final Promise<EgressResponse> answer = Promise.promise();
    private final Lifetime place = new Lifetime();
    private Stage stage = Stage.RESOLVING;
    private long deadlineNanos;

    private enum Stage {
        RESOLVING,
        WAITING_FOR_PLACE,
        CONNECTING,
        ANSWERING
    }

    EgressExchange(Context context, CallShares shares, CallOwner owner, EgressCall call) {
        this.context = context;
        this.shares = shares;
        this.owner = owner;
        this.call = call;
    }

    /** How the call reaches its server. */
    record Route(
            CompletionStage<List<InetAddress>> addresses,
            Function<List<InetAddress>, InetAddress> judge,
            Function<InetAddress, RequestOptions> request,
            HttpClient http) {}

    /** @return fails with {@link EgressFailedException} when there is no whole answer */
    Future<EgressResponse> begin(Route route) {
        Vertx vertx = context.owner();
        long millis = Math.max(1, call.limit().toMillis());
        deadlineNanos = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        long timer = vertx.setTimer(millis, late -> context.runOnContext(now -> answer.tryFail(late())));
        answer.future().onComplete(end -> vertx.cancelTimer(timer));
        route.addresses()
                .whenComplete((found, failure) -> context.runOnContext(now -> {
                    if (failure != null) {
                        answer.tryFail(failure);
                    } else {
                        resolved(route, found);
                    }
                }));
        return answer.future().recover(failure -> Future.failedFuture(named(failure)));
    }

    private EgressFailedException late() {
        return stage == Stage.WAITING_FOR_PLACE
                ? busy()
                : new EgressFailedException(Reason.LATE, "it took longer than " + call.limit());
    }

    private static EgressFailedException busy() {
        return new EgressFailedException(
                Reason.BUSY, "too many calls of the project are under way: their receivers are slow");
    }

    private void resolved(Route route, List<InetAddress> addresses) {
        InetAddress target;
        try {
            target = route.judge().apply(addresses);
        } catch (EgressFailedException e) {
            answer.tryFail(e);
            return;
        }
        stage = Stage.WAITING_FOR_PLACE;
        answer.future().onComplete(end -> leave());
        if (!isOver()) {
            shares.take(
                    owner,
                    place,
                    remaining(),
                    context,
                    new CallShares.Callbacks(
                            () -> connect(route.http(), route.request().apply(target)), () -> answer.tryFail(busy())));
        }
    }

    private boolean isOver() {
        return answer.future().isComplete();
    }

    private Duration remaining() {
        return Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime()));
    }

    /** Returns the place, unless a connection is being made. */
    private void leave() {
        if (stage != Stage.CONNECTING) {
            place.close();
        }
    }

    private void connect(HttpClient http, RequestOptions options) {
        if (isOver()) {
            place.close();
            return;
        }
        stage = Stage.CONNECTING;
        http.request(options).onComplete(connected -> {
            stage = Stage.ANSWERING;
            if (connected.failed()) {
                answer.tryFail(connected.cause());
            } else {
                send(connected.result());
            }
            if (isOver()) {
                place.close();
            }
        });
    }

    /**
     * On the connection's thread, where nothing arrives before this has returned. A step added to the caller's chain may be
     * too late: the answer is there, and gone by, before the caller has been given the processor again.
     */
    private void send(HttpClientRequest request) {
        if (isOver()) {
            request.reset();
            return;
        }
        var whole = new WholeResponse(request, call.maxBytes(), shares.memory(owner));
        // The library's own limit of time ends with the head of an answer: a receiver that sends no more, or a byte now
        // and then, would keep the connection for ever.
        answer.future().onComplete(end -> whole.end());
        call.headers().forEach(request::putHeader);
        whole.of(call.body()).onSuccess(answer::tryComplete).onFailure(answer::tryFail);
    }

    private static EgressFailedException named(Throwable failure) {
        return failure instanceof EgressFailedException known
                ? known
                : new EgressFailedException(Reason.UNREACHABLE, "it could not be reached", failure);
    }
}
