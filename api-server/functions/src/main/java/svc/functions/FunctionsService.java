package svc.functions;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.dataplane.DataPlaneStream;
import svc.platform.tenancy.Tenant;

/** {@code /functions/v1/<name>[/…]}, and the endpoints for the functions' runtime. */
@ApplicationScoped
class FunctionsService implements DataPlaneStream {
    private static final Set<HttpMethod> METHODS = Set.of(
            HttpMethod.GET,
            HttpMethod.POST,
            HttpMethod.PUT,
            HttpMethod.PATCH,
            HttpMethod.DELETE,
            HttpMethod.HEAD,
            HttpMethod.OPTIONS);

    private final FunctionDirectory directory;
    private final CallServices services;
    private final RuntimeEndpoint runtime;

    FunctionsService(FunctionDirectory directory, CallServices services, RuntimeEndpoint runtime) {
        this.directory = directory;
        this.services = services;
        this.runtime = runtime;
    }

    @Override
    public String name() {
        return "functions";
    }

    /**
     * A function without {@code verifyJwt} authenticates its callers itself; the runtime sends a token of its own. One that is
     * not known yet may be such a function: its callers get 503 to retry, and not 401 for missing credentials.
     */
    @Override
    public boolean isOpen(Tenant tenant, String path) {
        return path.startsWith(FunctionPath.RUNTIME)
                || find(tenant, path).map(route -> !route.verifyJwt()).orElseGet(() -> !directory.synced());
    }

    @Override
    public void serve(DataPlaneExchange exchange) {
        if (exchange.path().startsWith(FunctionPath.RUNTIME)) {
            runtime.serve(exchange);
            return;
        }
        Optional<FunctionRoute> route = find(exchange.tenant(), exchange.path());
        if (route.isEmpty()) {
            refuse(exchange, directory.synced() ? FunctionError.notFound() : FunctionError.starting());
        } else if (!METHODS.contains(exchange.request().method())) {
            refuse(
                    exchange,
                    FunctionError.methodNotAllowed(exchange.request().method().name()));
        } else if (!route.get().limits().enabled()) {
            refuse(exchange, FunctionError.disabled());
        } else if (RequestBodyForwarder.announced(exchange.request())
                > route.get().requestLimit()) {
            // Rejected before a process is started for it.
            refuse(exchange, FunctionError.requestTooLarge(route.get().requestLimit()));
        } else {
            call(exchange, route.get(), error -> error.send(exchange.request().response(), exchange.requestId()));
        }
    }

    /** Forwarded to the function if a process is ready; otherwise one is started for the call that will follow. */
    @Override
    public void preflight(DataPlaneExchange exchange, Runnable otherwise) {
        Optional<FunctionRoute> route = find(exchange.tenant(), exchange.path())
                .filter(found -> found.limits().enabled());
        if (route.isEmpty()) {
            otherwise.run();
        } else if (services.processes().of(route.get().key()).isEmpty()) {
            services.activation().start(route.get());
            otherwise.run();
        } else {
            exchange.request().pause();
            call(exchange, route.get(), error -> {
                if (!exchange.request().response().headWritten()) {
                    otherwise.run();
                }
            });
        }
    }

    private void call(DataPlaneExchange exchange, FunctionRoute route, Consumer<FunctionError> refusal) {
        new FunctionCall(
                        services,
                        exchange,
                        route,
                        FunctionPath.of(exchange.path()).orElseThrow().forward(),
                        refusal)
                .start();
    }

    private Optional<FunctionRoute> find(Tenant tenant, String path) {
        return FunctionPath.of(path).flatMap(found -> directory.find(tenant, found.function()));
    }

    private void refuse(DataPlaneExchange exchange, FunctionError error) {
        services.metrics().ended(error.code());
        error.send(exchange.request().response(), exchange.requestId());
        RequestBodyForwarder.discard(exchange.request(), Vertx.currentContext().owner());
    }
}
