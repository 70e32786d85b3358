package svc.realtime.sidecar;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.SocketAddress;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import svc.platform.config.ApiConfig;
import svc.platform.dataplane.BodyRules;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.dataplane.RequestBody;
import svc.platform.egress.EgressFailedException;
import svc.platform.egress.EgressFailedException.Reason;
import svc.platform.egress.EgressResponse;
import svc.platform.memory.ByteBudget;
import svc.platform.memory.MemoryBudget;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.realtime.http.RealtimeAnswers;

/**
 * Which requests lead to a sidecar: the sockets of its project, which start it, and broadcasts by request while it runs. The
 * others, and broadcasts while no sidecar runs, which no client can receive, this process answers itself.
 */
@ApplicationScoped
public class SidecarRoutes {
    private static final int RETRY_SECONDS = 5;
    private static final int BAD_GATEWAY = 502;

    private final SidecarDirectory directory;
    private final SidecarEndpoints endpoints;
    private final SidecarStart start;
    private final SidecarClient client;
    private final SidecarTunnels tunnels;
    private final MemoryBudget memory;
    private final BodyRules rules;

    SidecarRoutes(
            SidecarDirectory directory,
            SidecarEndpoints endpoints,
            SidecarStart start,
            SidecarClient client,
            SidecarTunnels tunnels,
            MemoryBudget memory,
            ApiConfig config) {
        this.directory = directory;
        this.endpoints = endpoints;
        this.start = start;
        this.client = client;
        this.tunnels = tunnels;
        this.memory = memory;
        this.rules = BodyRules.of(config.limits(), config.limits().dataBody().asLongValue(), true);
    }

    void onStart(@Observes StartupEvent started, TenantDirectory tenants, MeterRegistry metrics) {
        tenants.onChange(ref -> {
            Optional<Tenant> now = tenants.find(ref);
            if (now.isEmpty() || !now.get().realtime().enabled()) {
                tunnels.end(ref);
            }
        });
        metrics.gauge("svc.realtime.sidecar.sockets", tunnels, SidecarTunnels::count);
    }

    /** Answers a request that belongs to a sidecar; false for one that this process answers itself. */
    public boolean serve(DataPlaneExchange exchange) {
        Optional<Sidecar> sidecar = directory.of(exchange.tenant());
        if (sidecar.isEmpty() || !exchange.tenant().realtime().enabled()) {
            return false;
        }
        if (exchange.path().equals("/websocket") && asksForSocket(exchange.request())) {
            tunnel(sidecar.get(), exchange);
            return true;
        }
        boolean broadcast = exchange.path().startsWith("/api/broadcast")
                && exchange.request().method().equals(HttpMethod.POST);
        Optional<SocketAddress> running = broadcast ? endpoints.of(sidecar.get()) : Optional.empty();
        running.ifPresent(address -> forward(address, exchange));
        return running.isPresent();
    }

    /** Asks clients to come back, over so much time. */
    public void drain(Duration spread) {
        tunnels.drain(spread);
    }

    private void tunnel(Sidecar sidecar, DataPlaneExchange exchange) {
        var tunnel = new SidecarTunnel(this, sidecar, exchange);
        if (tunnels.add(sidecar, tunnel, exchange.tenant().realtime().maxConnections())) {
            tunnel.open();
        } else {
            RealtimeAnswers.error(exchange, 429, "ConnectionRateLimitReached: Too many connected users");
        }
    }

    private void forward(SocketAddress address, DataPlaneExchange exchange) {
        RequestBody.collect(
                exchange.request(),
                rules,
                memory.ofProject(exchange.tenant().ref()).open(),
                body -> client.request(address, exchange)
                        .compose(request -> passOn(exchange, request, request.send(body.bytes())))
                        .onComplete(end -> body.memory().close())
                        .onFailure(broken -> unavailable(exchange)),
                refusal -> {
                    switch (refusal) {
                        case TOO_LARGE, TOO_COSTLY -> RealtimeAnswers.error(exchange, 413, "The body is too large");
                        case BUSY -> RealtimeAnswers.error(exchange, 503, "The project's memory is in use");
                        case TOO_SLOW -> RealtimeAnswers.error(exchange, 408, "The body arrives too slowly");
                    }
                });
    }

    private static boolean asksForSocket(HttpServerRequest request) {
        String connection = request.getHeader(HttpHeaders.CONNECTION);
        return request.method().equals(HttpMethod.GET)
                && request.version() == HttpVersion.HTTP_1_1
                && connection != null
                && connection.toLowerCase(Locale.ROOT).contains("upgrade")
                && "websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE));
    }

    /** The sidecar did not start in time, or cannot be reached. */
    static void unavailable(DataPlaneExchange exchange) {
        HttpServerResponse response = exchange.request().response();
        if (!response.headWritten()) {
            response.putHeader("retry-after", Integer.toString(RETRY_SECONDS));
        }
        RealtimeAnswers.error(
                exchange, 503, "RealtimeRestarting: The project's realtime is starting, please try again");
    }

    /** Passes an answer on that is not a socket, when it is whole; completes when the exchange is answered. */
    Future<Void> passOn(DataPlaneExchange exchange, HttpClientRequest request, Future<HttpClientResponse> response) {
        ByteBudget.Permit held = memory.ofProject(exchange.tenant().ref()).open();
        return client.whole(request, response, held)
                .onSuccess(answer -> passOn(exchange, answer))
                .onFailure(failure -> {
                    if (failure instanceof EgressFailedException known && known.reason() == Reason.TOO_LONG) {
                        RealtimeAnswers.error(exchange, BAD_GATEWAY, "The project's realtime answers too much");
                    } else {
                        unavailable(exchange);
                    }
                })
                .<Void>mapEmpty()
                .otherwiseEmpty();
    }

    private static void passOn(DataPlaneExchange exchange, EgressResponse answer) {
        HttpServerResponse response = exchange.request().response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(answer.status());
        Optional.ofNullable(answer.headers().get(HttpHeaders.CONTENT_TYPE))
                .ifPresent(type -> response.putHeader(HttpHeaders.CONTENT_TYPE, type));
        response.end(answer.body()).onFailure(gone -> response.close());
    }

    SidecarEndpoints endpoints() {
        return endpoints;
    }

    SidecarStart start() {
        return start;
    }

    SidecarClient client() {
        return client;
    }

    SidecarTunnels tunnels() {
        return tunnels;
    }
}
