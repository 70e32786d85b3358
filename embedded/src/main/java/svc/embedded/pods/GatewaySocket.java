package svc.embedded.pods;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import svc.embedded.pods.GatewayLimits.Holder;

/**
 * A unix socket through which one function reaches its project's address, and nothing else of this machine: loopback is
 * closed to it. Every request is read and must be for the host of a project; those of the control plane are refused.
 * Connections, calls and the time of both are limited, because everything here is memory of the platform's process.
 */
final class GatewaySocket implements AutoCloseable {
    private static final int NOT_FOUND = 404;
    private static final long LISTEN_SECONDS = 10;

    private final FunctionGateway gateway;
    private final Path path;
    private final Holder holder;
    private final HttpServer server;
    private final Map<HttpConnection, Connection> open = new IdentityHashMap<>();

    private GatewaySocket(FunctionGateway gateway, Path path, Holder holder) {
        this.gateway = gateway;
        this.path = path;
        this.holder = holder;
        this.server = gateway.vertx()
                .createHttpServer(new HttpServerOptions()
                        // One connection, one request at a time.
                        .setHttp2ClearTextEnabled(false)
                        .setMaxInitialLineLength(FunctionGateway.HEAD_BYTES)
                        .setMaxHeaderSize(FunctionGateway.HEAD_BYTES))
                .connectionHandler(this::connected)
                // Whatever a function writes that is no HTTP ends its connection.
                .exceptionHandler(malformed -> {})
                .requestHandler(this::handle);
    }

    static GatewaySocket open(FunctionGateway gateway, Path path, Holder holder) throws IOException {
        Files.deleteIfExists(path);
        var socket = new GatewaySocket(gateway, path, holder);
        try {
            socket.server
                    .listen(SocketAddress.domainSocketAddress(path.toString()))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(LISTEN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("while opening the socket " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while opening the socket " + path, e);
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
        return socket;
    }

    Path path() {
        return path;
    }

    /** Ends its connections as well. */
    @Override
    public void close() throws IOException {
        server.close();
        Files.deleteIfExists(path);
    }

    static void refuse(HttpServerResponse response, int status, String message) {
        if (response.closed() || response.ended()) {
            return;
        }
        if (response.headWritten()) {
            response.reset();
            return;
        }
        response.setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end("{\"error\":\"gateway_socket\",\"message\":\"" + message + "\"}");
    }

    private void connected(HttpConnection opened) {
        var connection = new Connection(opened);
        if (!gateway.connections().admit(connection.entry)) {
            opened.close();
            return;
        }
        open.put(opened, connection);
        connection.awaitHead(gateway.limits().headTime());
        opened.closeHandler(gone -> connection.forget());
    }

    private void handle(HttpServerRequest request) {
        Connection connection = open.get(request.connection());
        HttpServerResponse response = request.response();
        if (connection == null) {
            request.connection().close();
            return;
        }
        connection.begin();
        String host = Optional.ofNullable(request.getHeader("Host")).orElse("").toLowerCase(Locale.ROOT);
        if (gateway.isOfAProject(host) && "websocket".equalsIgnoreCase(request.getHeader("Upgrade"))) {
            request.pause();
            new GatewayTunnel(gateway, request, host)
                    .open()
                    .onSuccess(closed -> connection.forget())
                    .onFailure(refused -> connection.end());
            return;
        }
        response.endHandler(ended -> connection.end());
        response.closeHandler(closed -> connection.end());
        if (!gateway.isOfAProject(host)) {
            refuse(response, NOT_FOUND, "only the address of a project can be reached here");
            return;
        }
        request.pause();
        var call = new GatewayCall(gateway, holder, request, host);
        connection.current = Optional.of(call);
        call.start();
    }

    /** One connection of the function: what it costs its share, and until when the next head has to be there. */
    private final class Connection {
        private final HttpConnection opened;
        private final ConnectionLedger.Entry entry;
        private Optional<GatewayCall> current = Optional.empty();
        private long deadline = -1;

        private Connection(HttpConnection opened) {
            this.opened = opened;
            this.entry = new ConnectionLedger.Entry(holder, opened::close);
        }

        private void awaitHead(Duration time) {
            gateway.vertx().cancelTimer(deadline);
            deadline = gateway.vertx().setTimer(time.toMillis(), late -> opened.close());
        }

        private void begin() {
            gateway.vertx().cancelTimer(deadline);
            entry.setBusy(true);
        }

        private void end() {
            entry.setBusy(false);
            endCall();
            if (open.containsKey(opened)) {
                awaitHead(gateway.limits().idleTime());
            }
        }

        private void forget() {
            open.remove(opened);
            gateway.vertx().cancelTimer(deadline);
            gateway.connections().remove(entry);
            endCall();
        }

        private void endCall() {
            Optional<GatewayCall> ended = current;
            current = Optional.empty();
            ended.ifPresent(GatewayCall::end);
        }
    }
}
