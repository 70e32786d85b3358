package svc.server.gateway;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jboss.logging.MDC;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.dataplane.ControlPlaneHandler;
import svc.platform.dataplane.RequestBody;
import svc.platform.dataplane.RequestId;
import svc.server.connection.ConnectionGuard;
import svc.server.connection.ServerConnections;

/**
 * The first handler of every request. In order: a request id, CORS, preflights, then by host and path to the data
 * plane, the control plane, the probes, or an error.
 */
@ApplicationScoped
public class Gateway {
    private static final Logger LOG = Logger.getLogger(Gateway.class);

    /** Before every handler of the framework, above all its body limit (order -2). */
    private static final int FIRST = -1_000;

    /** HTTP/1 is read with such headers. */
    private static final String NAMELESS = "";

    private static final String DATA_PLANE = "svc.data-plane";

    private static final int OK = 200;

    private final HostRoutes routes;
    private final Cors cors;
    private final DataPlane dataPlane;
    private final ControlPlaneHandler controlPlane;
    private final Draining draining;
    private final ServerConnections connections;

    Gateway(
            ApiConfig config,
            DataPlane dataPlane,
            ControlPlaneHandler controlPlane,
            Draining draining,
            ServerConnections connections) {
        this.routes = new HostRoutes(config.hosts(), config.roles());
        this.cors = new Cors(config.hosts().corsOrigins().orElse(List.of()));
        this.dataPlane = dataPlane;
        this.controlPlane = controlPlane;
        this.draining = draining;
        this.connections = connections;
    }

    /**
     * Creates the services' beans before the first request, which would block its event loop otherwise: a new pod gets
     * its full share of requests at once.
     */
    void prepare(@Observes StartupEvent started, ApiConfig config) {
        if (config.roles().contains(ServerRole.DATA) || config.roles().contains(ServerRole.REALTIME_SIDECAR)) {
            LOG.debugf("data-plane services: %s", dataPlane.serves());
        }
    }

    void register(@Observes Router router) {
        router.route().order(FIRST).handler(this::handle).failureHandler(this::failed);
    }

    private void handle(RoutingContext context) {
        begin(context);
        draining.onEveryRequest(context);
        HttpServerRequest request = context.request();
        connections.guard(request);
        if (request.headers().contains(NAMELESS)) {
            GatewayResponse.error(context, GatewayError.namelessHeader());
            return;
        }
        boolean proxied = request.headers().contains("x-forwarded-for");
        Destination destination = routes.of(host(request), request.path(), proxied);
        ConnectionGuard.of(request).ifPresent(guard -> guard.serves(new RouteName(request.method(), destination)));
        if (Cors.isPreflight(request)) {
            preflight(context, destination);
            return;
        }
        switch (destination) {
            case Destination.Data data -> toDataPlane(context, data);
            case Destination.Control control -> toControlPlane(context);
            case Destination.Probe probe -> toProbe(context);
            case Destination.Nowhere nowhere -> GatewayResponse.error(context, GatewayError.unknownHost());
        }
    }

    private void begin(RoutingContext context) {
        String id = RequestId.of(context);
        HttpServerResponse response = context.response();
        response.putHeader(RequestId.HEADER, id).putHeader(RequestId.SUPABASE_HEADER, id);
        cors.onEveryAnswer(response.headers(), context.request().getHeader("origin"));
        if (cors.varies()) {
            context.addHeadersEndHandler(ending -> Cors.onVaryingAnswer(response.headers()));
        }
        MDC.put(RequestId.LOG_KEY, id);
    }

    private void preflight(RoutingContext context, Destination destination) {
        if (destination instanceof Destination.Data data) {
            dataPlane.preflight(context, data.ref(), data.path(), () -> preflight(context));
        } else if (destination instanceof Destination.Control && !controlPlane.isForScripts(context)) {
            HttpServerResponse response = context.response();
            Cors.onNoAnswer(response.headers());
            response.setStatusCode(403).end().onFailure(gone -> response.close());
        } else {
            preflight(context);
        }
    }

    private static void preflight(RoutingContext context) {
        HttpServerResponse response = context.response();
        Cors.onPreflight(response.headers(), context.request().getHeader("access-control-request-headers"));
        // As PostgREST: some proxies and older browsers refuse a preflight whose answer is 204.
        response.setStatusCode(OK).end().onFailure(gone -> response.close());
    }

    private void toDataPlane(RoutingContext context, Destination.Data data) {
        context.put(DATA_PLANE, true);
        if (RequestTarget.isReadable(data.path())) {
            dataPlane.handle(context, data.ref(), RequestTarget.encoded(data.path()));
        } else {
            GatewayResponse.error(context, GatewayError.malformedUri());
        }
    }

    private void toControlPlane(RoutingContext context) {
        if (RequestTarget.isUri(context.request().uri())) {
            controlPlane.handle(context);
        } else {
            controlPlane.rejectMalformedUri(context);
        }
    }

    /** The framework's body limit would refuse a body without saying so. */
    private static void toProbe(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (!RequestTarget.isUri(request.uri())) {
            GatewayResponse.error(context, GatewayError.malformedUri());
        } else if (RequestBody.isExpected(request)) {
            GatewayResponse.error(context, GatewayError.unexpectedBody());
        } else {
            context.next();
        }
    }

    /** A failure that no handler caught: an internal error, or a request that the HTTP layer rejects. */
    private void failed(RoutingContext context) {
        begin(context);
        if (context.get(DATA_PLANE) == null) {
            controlPlane.handleFailure(context);
            return;
        }
        LOG.errorf(context.failure(), "%s failed", context.request().path());
        GatewayResponse.error(context, GatewayError.internal());
    }

    private static Optional<String> host(HttpServerRequest request) {
        return Optional.ofNullable(request.authority()).map(authority -> authority.host());
    }
}
