package svc.embedded.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import svc.embedded.kubernetes.json.Json;

/** Says in a function's log why its process ended, which the process itself no longer could. */
final class LogPost {
    private static final int HTTP_PORT = 80;
    private static final long LIMIT_MS = 10_000;

    private final Optional<InetSocketAddress> gateway;
    private final HttpClient client;

    /** @param gateway where the data plane really listens, whatever host an address names; empty to go by the address */
    LogPost(Optional<InetSocketAddress> gateway, Vertx vertx) {
        this.gateway = gateway;
        this.client = vertx.createHttpClient();
    }

    /** A line of the platform in the form of the runner's own. */
    static String line(String message) {
        ObjectNode line = Json.object().put("time", Instant.now().toString()).put("level", "error");
        return line.put("event", "error").put("message", message).toString();
    }

    /**
     * Posts a line, without waiting; it is lost if the data plane does not answer.
     *
     * @param address of the function's log intake
     * @param token bearer for it
     */
    void post(String address, String token, String line) {
        URI intake = URI.create(address);
        var options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(intake.getHost())
                .setPort(intake.getPort() < 0 ? HTTP_PORT : intake.getPort())
                .setURI(intake.getRawPath())
                .setTimeout(LIMIT_MS)
                .putHeader("Authorization", "Bearer " + token);
        gateway.ifPresent(at -> options.setServer(SocketAddress.inetSocketAddress(at)));
        client.request(options).compose(request -> request.send(Buffer.buffer(line + "\n")));
    }
}
