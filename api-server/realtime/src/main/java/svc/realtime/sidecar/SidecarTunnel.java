package svc.realtime.sidecar;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import svc.platform.dataplane.DataPlaneExchange;

/**
 * One socket between a client and its project's sidecar, from the wait for the sidecar to the end. After the upgrade bytes
 * pass in both directions, as fast as the slower side takes them. Runs on the client's event loop.
 */
final class SidecarTunnel {
    /** Makes realtime-js come back. */
    private static final int SERVICE_RESTART = 1012;

    private static final int SWITCHING = 101;

    /** A sidecar that cannot be reached is gone; the watch will report it shortly. */
    private static final long RETRY_MS = 200;

    private static final int ATTEMPTS = 25;

    private final SidecarRoutes routes;
    private final Sidecar sidecar;
    private final DataPlaneExchange exchange;
    private final Context context = Vertx.currentContext();
    private final FrameBoundaries frames = new FrameBoundaries();
    private Optional<HttpClientRequest> upstream = Optional.empty();
    private Optional<NetSocket> process = Optional.empty();
    private Optional<NetSocket> caller = Optional.empty();
    private int attempts;
    private boolean over;

    SidecarTunnel(SidecarRoutes routes, Sidecar sidecar, DataPlaneExchange exchange) {
        this.routes = routes;
        this.sidecar = sidecar;
        this.exchange = exchange;
    }

    String ref() {
        return exchange.tenant().ref();
    }

    void open() {
        exchange.request().response().closeHandler(gone -> finish());
        exchange.request().exceptionHandler(broken -> finish());
        attempt();
    }

    private void attempt() {
        if (over) {
            return;
        }
        Optional<SocketAddress> address = routes.endpoints().of(sidecar);
        if (address.isEmpty()) {
            routes.start().await(sidecar).onSuccess(ready -> attempt()).onFailure(late -> unavailable());
        } else {
            Future<HttpClientRequest> connecting = routes.client().request(address.get(), exchange);
            connecting.onSuccess(this::send).onFailure(away -> again());
        }
    }

    private void again() {
        attempts++;
        if (attempts == ATTEMPTS) {
            unavailable();
        } else {
            context.owner().setTimer(RETRY_MS, timer -> attempt());
        }
    }

    private void unavailable() {
        if (!over) {
            finish();
            SidecarRoutes.unavailable(exchange);
        }
    }

    private void send(HttpClientRequest request) {
        if (over) {
            request.reset();
            return;
        }
        upstream = Optional.of(request);
        routes.client().upgrade(request).onSuccess(this::answered).onFailure(broken -> unavailable());
    }

    private void answered(HttpClientResponse answer) {
        if (over) {
            return;
        }
        if (answer.statusCode() != SWITCHING) {
            upstream = Optional.empty();
            finish();
            routes.passOn(exchange, answer.request(), Future.succeededFuture(answer));
            return;
        }
        HttpServerResponse response = exchange.request().response();
        response.setStatusCode(SWITCHING)
                .putHeader("connection", "Upgrade")
                .putHeader("upgrade", "websocket")
                .putHeader("sec-websocket-accept", answer.getHeader("sec-websocket-accept"));
        Optional.ofNullable(answer.getHeader("sec-websocket-protocol"))
                .ifPresent(protocol -> response.putHeader("sec-websocket-protocol", protocol));
        NetSocket connection = answer.netSocket();
        connection.pause();
        process = Optional.of(connection);
        exchange.request()
                .toNetSocket()
                .onSuccess(client -> join(client, connection))
                .onFailure(gone -> finish());
    }

    private void join(NetSocket client, NetSocket connection) {
        if (over) {
            client.close();
            return;
        }
        caller = Optional.of(client);
        client.handler(piece -> pass(piece, client, connection));
        connection.handler(piece -> {
            frames.pass(piece);
            pass(piece, connection, client);
        });
        client.closeHandler(gone -> finish());
        connection.closeHandler(gone -> end());
        client.exceptionHandler(broken -> client.close());
        connection.exceptionHandler(broken -> connection.close());
        client.resume();
        connection.resume();
    }

    private static void pass(Buffer piece, NetSocket from, NetSocket to) {
        to.write(piece);
        if (to.writeQueueFull()) {
            from.pause();
            to.drainHandler(room -> from.resume());
        }
    }

    /** Ends the socket within a while; may be called on any thread. */
    void endWithin(long millis) {
        context.owner().setTimer(Math.max(1, millis), timer -> context.runOnContext(now -> end()));
    }

    /** Ends the socket; may be called on any thread. Where no frame is cut, the client is asked to reconnect. */
    void end() {
        context.runOnContext(now -> {
            Optional<NetSocket> client = caller;
            boolean answerable = !over && client.isEmpty();
            finish();
            if (answerable) {
                SidecarRoutes.unavailable(exchange);
                return;
            }
            client.ifPresent(socket -> {
                if (frames.isBetween() && !frames.isClosing()) {
                    socket.write(FrameBoundaries.close(SERVICE_RESTART, "Service restart"));
                }
                socket.end();
            });
        });
    }

    /** Leaves the sidecar; the client's side is the caller's. */
    private void finish() {
        if (!over) {
            over = true;
            routes.tunnels().remove(sidecar, this);
            process.ifPresentOrElse(NetSocket::close, () -> upstream.ifPresent(HttpClientRequest::reset));
        }
    }
}
