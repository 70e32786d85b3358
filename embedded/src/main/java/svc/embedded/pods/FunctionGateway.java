package svc.embedded.pods;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.regex.Pattern;
import svc.embedded.pods.GatewayLimits.Holder;

/**
 * The way of all functions to their projects' addresses: one {@link GatewaySocket} for each Deployment, and what these
 * share. Everything runs on the one event loop of its Vert.x.
 */
final class FunctionGateway implements AutoCloseable {
    /** Of a request line, and of all headers together, like the gateway's own. */
    static final int HEAD_BYTES = 32 << 10;

    private static final int ANSWER_HEAD_BYTES = 64 << 10;

    private final Vertx vertx;
    private final SocketAddress address;
    private final Pattern projectHost;
    private final GatewayLimits limits;
    private final HttpClient client;
    private final WebSocketClient webSockets;
    private final ConnectionLedger connections;
    private final CallPlaces calls;

    /**
     * @param vertx with one event loop and the native transport, which has unix sockets
     * @param gateway where requests go
     * @param dataHost the domain whose sub-domains are projects
     */
    FunctionGateway(Vertx vertx, InetSocketAddress gateway, String dataHost, GatewayLimits limits) {
        if (!vertx.isNativeTransportEnabled()) {
            throw new IllegalStateException(
                    "functions need unix sockets, which Netty's native transport has",
                    vertx.unavailableNativeTransportCause());
        }
        this.vertx = vertx;
        this.address = SocketAddress.inetSocketAddress(gateway);
        this.projectHost = Pattern.compile("[a-z0-9]{1,63}\\." + Pattern.quote(dataHost) + "(:[0-9]{1,5})?");
        this.limits = limits;
        this.client = vertx.createHttpClient(new HttpClientOptions()
                .setMaxPoolSize(limits.connections().all())
                .setMaxInitialLineLength(ANSWER_HEAD_BYTES)
                .setMaxHeaderSize(ANSWER_HEAD_BYTES));
        this.webSockets = vertx.createWebSocketClient();
        this.connections = new ConnectionLedger(limits.connections());
        this.calls = new CallPlaces(limits.calls());
    }

    /** Listens for one function. */
    GatewaySocket open(Path path, Holder holder) throws IOException {
        return GatewaySocket.open(this, path, holder);
    }

    Vertx vertx() {
        return vertx;
    }

    SocketAddress address() {
        return address;
    }

    GatewayLimits limits() {
        return limits;
    }

    HttpClient client() {
        return client;
    }

    WebSocketClient webSockets() {
        return webSockets;
    }

    ConnectionLedger connections() {
        return connections;
    }

    CallPlaces calls() {
        return calls;
    }

    boolean isOfAProject(String host) {
        return projectHost.matcher(host).matches();
    }

    @Override
    public void close() {
        client.close();
        webSockets.close();
    }
}
