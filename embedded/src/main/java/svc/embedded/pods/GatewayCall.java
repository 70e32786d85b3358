package svc.embedded.pods;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.RequestOptions;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import svc.embedded.pods.GatewayLimits.Holder;
import svc.platform.budget.Lifetime;
import svc.platform.budget.Outcome;

/** One request of a function on its way to the gateway: waits for its turn, then streams in both directions. */
final class GatewayCall {
    private static final Set<String> OF_CONNECTION = Set.of(
            "connection",
            "host",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "x-forwarded-for",
            "x-forwarded-host",
            "x-forwarded-proto");
    private static final String FUNCTIONS = "/functions/v1/";
    private static final int BAD_GATEWAY = 502;
    private static final int UNAVAILABLE = 503;
    private static final int HTTP_PORT = 80;

    private final FunctionGateway gateway;
    private final HttpServerRequest request;
    private final String host;
    private final Holder holder;
    private final Lifetime life = new Lifetime();
    private Optional<HttpClientRequest> onward = Optional.empty();

    GatewayCall(FunctionGateway gateway, Holder holder, HttpServerRequest request, String host) {
        this.gateway = gateway;
        this.request = request;
        this.host = host;
        this.holder = holder;
    }

    /** @see GatewaySocket#handle where the request is paused */
    void start() {
        Context loop = gateway.vertx().getOrCreateContext();
        var arrival = new CallPlaces.Arrival(
                holder,
                request.uri().startsWith(FUNCTIONS),
                life,
                gateway.limits().waitTime(),
                work -> loop.runOnContext(now -> work.run()));
        gateway.calls().request(arrival, outcome -> {
            if (outcome instanceof Outcome.Granted) {
                forward();
            } else {
                request.response().putHeader("Retry-After", "1");
                GatewaySocket.refuse(
                        request.response(),
                        UNAVAILABLE,
                        "too many calls of this function or of its project are under way");
            }
        });
    }

    /** The answer is complete, or the function is gone. */
    void end() {
        if (life.isOver()) {
            return;
        }
        if (!request.response().ended()) {
            onward.ifPresent(HttpClientRequest::reset);
        }
        life.close();
    }

    private void forward() {
        var options = new RequestOptions()
                .setServer(gateway.address())
                .setHost(hostOf(host))
                .setPort(portOf(host))
                .setMethod(request.method())
                .setURI(request.uri());
        // Composed, because a client that is closed throws.
        Future.succeededFuture()
                .compose(now -> gateway.client().request(options))
                .compose(this::send)
                .onSuccess(this::answer)
                .onFailure(
                        error -> GatewaySocket.refuse(request.response(), BAD_GATEWAY, "the gateway does not answer"));
    }

    private Future<HttpClientResponse> send(HttpClientRequest opened) {
        // The answer's future reports failures; without this handler Vert.x logs them as unhandled.
        opened.exceptionHandler(reported -> {});
        if (life.isOver()) {
            opened.reset();
            return Future.failedFuture("the function is gone");
        }
        onward = Optional.of(opened);
        copy(request.headers(), opened.headers());
        boolean body = request.headers().contains("Content-Length")
                || request.headers().contains("Transfer-Encoding");
        if (!body) {
            request.resume();
            return opened.send();
        }
        if (!request.headers().contains("Content-Length")) {
            opened.setChunked(true);
        }
        return opened.send(request);
    }

    private void answer(HttpClientResponse answer) {
        HttpServerResponse response = request.response();
        if (life.isOver()) {
            return;
        }
        response.setStatusCode(answer.statusCode()).setStatusMessage(answer.statusMessage());
        copy(answer.headers(), response.headers());
        if (!answer.headers().contains("Content-Length")) {
            response.setChunked(true);
        }
        // Ended by its last piece alone: the function must not take a part for the whole.
        answer.pipe()
                .endOnFailure(false)
                .to(response)
                .onFailure(broken -> request.connection().close());
    }

    private static void copy(MultiMap from, MultiMap to) {
        from.forEach(header -> {
            if (!OF_CONNECTION.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                to.add(header.getKey(), header.getValue());
            }
        });
    }

    private static String hostOf(String host) {
        int colon = host.lastIndexOf(':');
        return colon < 0 ? host : host.substring(0, colon);
    }

    private static int portOf(String host) {
        int colon = host.lastIndexOf(':');
        return colon < 0 ? HTTP_PORT : Integer.parseInt(host.substring(colon + 1));
    }
}
