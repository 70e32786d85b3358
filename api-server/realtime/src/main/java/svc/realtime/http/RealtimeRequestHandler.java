package svc.realtime.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.jboss.logging.Logger;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.dataplane.RequestBody;
import svc.realtime.channel.RealtimeProjects;
import svc.realtime.message.Serializer;
import svc.realtime.message.TextCursor;

/** The routes of {@code /realtime/v1}. Runs on event loops. */
public final class RealtimeRequestHandler {
    private static final Logger LOG = Logger.getLogger(RealtimeRequestHandler.class);

    private static final String BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private final RealtimeProjects projects;
    private final BroadcastEndpoint broadcasts;

    public RealtimeRequestHandler(RealtimeProjects projects, BroadcastEndpoint broadcasts) {
        this.projects = projects;
        this.broadcasts = broadcasts;
    }

    public void handle(DataPlaneExchange exchange) {
        String path = exchange.path();
        HttpMethod method = exchange.request().method();
        if (path.equals("/websocket")) {
            websocket(exchange);
        } else if (path.equals("/api/ping") && method.equals(HttpMethod.GET)) {
            RealtimeAnswers.json(exchange, 200, new JsonObject().put("message", "Success"));
        } else if (path.equals("/api/broadcast") && method.equals(HttpMethod.POST)) {
            broadcasts.batch(exchange);
        } else if (path.startsWith("/api/broadcast/") && method.equals(HttpMethod.POST)) {
            single(exchange, path.substring("/api/broadcast/".length()).split("/", -1));
        } else {
            RealtimeAnswers.error(exchange, 404, "Not Found");
        }
    }

    private void single(DataPlaneExchange exchange, String[] parts) {
        if (parts.length == 3 && parts[1].equals("events") && !parts[0].isEmpty() && !parts[2].isEmpty()) {
            broadcasts.single(exchange, decoded(parts[0]), decoded(parts[2]));
        } else {
            RealtimeAnswers.error(exchange, 404, "Not Found");
        }
    }

    private void websocket(DataPlaneExchange exchange) {
        HttpServerRequest request = exchange.request();
        Optional<Serializer> serializer = Serializer.of(parameter(exchange.query(), "vsn"));
        if (!isHandshake(request)) {
            RealtimeAnswers.error(exchange, 400, "This address takes WebSockets only");
        } else if (serializer.isEmpty()) {
            RealtimeAnswers.error(exchange, 400, "vsn must be 1.0.0 or 2.0.0");
        } else {
            Optional<RealtimeProjects.Refusal> refusal = projects.refusal(exchange.tenant());
            if (refusal.isPresent()) {
                refuse(exchange, refusal.get());
                return;
            }
            request.toWebSocket()
                    .onSuccess(socket ->
                            projects.open(exchange.tenant(), exchange.caller(), serializer.get(), request, socket))
                    .onFailure(failure -> LOG.debugf("a handshake failed: %s", failure.getMessage()));
        }
    }

    /** RFC 6455, 4.2.1: what Vert.x would otherwise refuse in words of its own. */
    private static boolean isHandshake(HttpServerRequest request) {
        String connection = request.getHeader(HttpHeaders.CONNECTION);
        String key = request.getHeader("sec-websocket-key");
        return request.method().equals(HttpMethod.GET)
                && request.version() == HttpVersion.HTTP_1_1
                && "websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE))
                && connection != null
                && connection.toLowerCase(Locale.ROOT).contains("upgrade")
                && "13".equals(request.getHeader("sec-websocket-version"))
                && key != null
                && isOf16Bytes(new TextCursor(key))
                && !RequestBody.isExpected(request);
    }

    private static boolean isOf16Bytes(TextCursor base64) {
        return base64.takeAll(BASE64) == 22 && base64.takeWord("==") && base64.atEnd();
    }

    private static void refuse(DataPlaneExchange exchange, RealtimeProjects.Refusal refusal) {
        switch (refusal) {
            case DRAINING ->
                RealtimeAnswers.error(exchange, 503, "RealtimeRestarting: Realtime is restarting, please standby");
            case DISABLED ->
                RealtimeAnswers.error(exchange, 403, "RealtimeDisabledForTenant: Realtime disabled for this tenant");
            case TOO_MANY ->
                RealtimeAnswers.error(exchange, 429, "ConnectionRateLimitReached: Too many connected users");
        }
    }

    /** A parameter of a query; percent-encoding that cannot be read counts as absent. */
    static Optional<String> parameter(String query, String name) {
        for (String pair : query.split("&")) {
            if (pair.startsWith(name + "=")) {
                return Optional.of(decoded(pair.substring(name.length() + 1)));
            }
        }
        return Optional.empty();
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
