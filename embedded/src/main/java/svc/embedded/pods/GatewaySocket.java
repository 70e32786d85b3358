package svc.embedded.pods;

import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketBase;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A unix socket through which functions reach their project's address, and nothing else of this machine: loopback is
 * closed to them. Every request is read and must be for the host of a project; those of the control plane are refused.
 */
final class GatewaySocket implements AutoCloseable {
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
    private static final int BAD_GATEWAY = 502;
    private static final int NOT_FOUND = 404;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int CONNECTIONS = 256;

    private final Path path;
    private final Pattern projectHost;
    private final SocketAddress gateway;
    private final HttpServer server;
    private final HttpClient client;
    private final io.vertx.core.http.WebSocketClient sockets;
    private final ServerSocketChannel listener;

    private GatewaySocket(Path path, InetSocketAddress gateway, String dataHost, Vertx vertx) throws IOException {
        this.path = path;
        this.gateway = SocketAddress.inetSocketAddress(gateway);
        this.projectHost = Pattern.compile("[a-z0-9]{1,63}\\." + Pattern.quote(dataHost) + "(:[0-9]{1,5})?");
        this.client = vertx.createHttpClient(new HttpClientOptions().setMaxPoolSize(CONNECTIONS));
        this.sockets = vertx.createWebSocketClient();
        // HTTP servers in Java do not listen on unix sockets: bytes are forwarded to one on a loopback port.
        this.server = vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, InetAddress.getLoopbackAddress().getHostAddress())
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        Files.deleteIfExists(path);
        this.listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(path));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
        Thread.ofPlatform().daemon().name("gateway-socket").start(this::accept);
    }

    /**
     * Listens.
     *
     * @param gateway where requests go
     * @param dataHost the domain whose sub-domains are projects
     */
    static GatewaySocket open(Path path, InetSocketAddress gateway, String dataHost, Vertx vertx) throws IOException {
        return new GatewaySocket(path, gateway, dataHost, vertx);
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        Files.deleteIfExists(path);
        server.close();
        client.close();
        sockets.close();
    }

    private void accept() {
        while (listener.isOpen()) {
            try {
                SocketChannel function = listener.accept();
                Thread.ofVirtual().name("gateway-connection").start(() -> connect(function));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void connect(SocketChannel function) {
        try (function;
                SocketChannel inner = SocketChannel.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.actualPort()))) {
            Thread back = Thread.ofVirtual().start(() -> pump(inner, function));
            pump(function, inner);
            back.join();
        } catch (IOException e) {
            // One side has closed the connection.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pump(SocketChannel from, SocketChannel to) {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        try {
            while (from.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    to.write(buffer);
                }
                buffer.clear();
            }
            to.shutdownOutput();
        } catch (IOException e) {
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // The client is gone.
            return;
        }
    }

    private void handle(HttpServerRequest request) {
        String host = Optional.ofNullable(request.getHeader("Host")).orElse("").toLowerCase(Locale.ROOT);
        if (!projectHost.matcher(host).matches()) {
            refuse(request.response(), NOT_FOUND, "only the address of a project can be reached here");
            return;
        }
        request.pause();
        if ("websocket".equalsIgnoreCase(request.getHeader("Upgrade"))) {
            openSocket(request, host);
            return;
        }
        client.request(new RequestOptions()
                        .setServer(gateway)
                        .setHost(hostOf(host))
                        .setPort(portOf(host))
                        .setMethod(request.method())
                        .setURI(request.uri()))
                .compose(onward -> send(request, onward))
                .onSuccess(answer -> answer(request.response(), answer))
                .onFailure(error -> refuse(request.response(), BAD_GATEWAY, "the gateway does not answer"));
    }

    private static io.vertx.core.Future<HttpClientResponse> send(HttpServerRequest request, HttpClientRequest onward) {
        copy(request.headers(), onward.headers());
        request.response().closeHandler(gone -> onward.reset());
        boolean body = request.headers().contains("Content-Length")
                || request.headers().contains("Transfer-Encoding");
        if (!body) {
            request.resume();
            return onward.send();
        }
        if (!request.headers().contains("Content-Length")) {
            onward.setChunked(true);
        }
        return onward.send(request);
    }

    private static void answer(HttpServerResponse response, HttpClientResponse answer) {
        response.setStatusCode(answer.statusCode()).setStatusMessage(answer.statusMessage());
        copy(answer.headers(), response.headers());
        if (!answer.headers().contains("Content-Length")) {
            response.setChunked(true);
        }
        answer.pipeTo(response);
    }

    private void openSocket(HttpServerRequest request, String host) {
        var options = new WebSocketConnectOptions();
        // This client would connect to the host of the request: send it as a header instead.
        options.setHost(gateway.host()).setPort(gateway.port()).setURI(request.uri());
        options.addHeader("Host", host);
        Optional.ofNullable(request.getHeader("Sec-WebSocket-Protocol")).ifPresent(options::addSubProtocol);
        Optional.ofNullable(request.getHeader("Authorization"))
                .ifPresent(credential -> options.addHeader("Authorization", credential));
        sockets.connect(options)
                .onFailure(error -> refuse(
                        request.response(),
                        error instanceof UpgradeRejectedException refused ? refused.getStatus() : BAD_GATEWAY,
                        "the gateway opens no WebSocket"))
                .onSuccess(far -> request.toWebSocket().onSuccess(near -> {
                    join(near, far);
                    join(far, near);
                }));
    }

    private static void join(WebSocketBase from, WebSocketBase to) {
        from.frameHandler(frame -> {
            if (!frame.isClose() && !frame.isPing()) {
                to.writeFrame(frame);
            }
        });
        from.closeHandler(closed -> to.close());
        from.exceptionHandler(broken -> to.close());
    }

    private static void copy(MultiMap from, MultiMap to) {
        from.forEach(header -> {
            if (!OF_CONNECTION.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                to.add(header.getKey(), header.getValue());
            }
        });
    }

    private static void refuse(HttpServerResponse response, int status, String message) {
        if (response.headWritten() || response.closed()) {
            response.reset();
            return;
        }
        response.setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end("{\"error\":\"gateway_socket\",\"message\":\"" + message + "\"}");
    }

    private static String hostOf(String host) {
        int colon = host.lastIndexOf(':');
        return colon < 0 ? host : host.substring(0, colon);
    }

    private static int portOf(String host) {
        int colon = host.lastIndexOf(':');
        return colon < 0 ? 80 : Integer.parseInt(host.substring(colon + 1));
    }
}
