package svc.server.gateway;

import io.quarkus.arc.All;
import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.dataplane.BodyLimits;
import svc.platform.dataplane.BodyRules;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.dataplane.DataPlanePath;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.dataplane.DataPlaneService;
import svc.platform.dataplane.DataPlaneStream;
import svc.platform.dataplane.ErrorResponse;
import svc.platform.dataplane.RequestBody;
import svc.platform.dataplane.RequestId;
import svc.platform.dataplane.ServiceDirectory;
import svc.platform.memory.ByteBudget;
import svc.platform.memory.MemoryBudget;
import svc.platform.tenancy.ProjectWatch;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.server.connection.ConnectionGuard;

/**
 * The steps between a project's host and its service. The order of the checks is part of the contract: an unknown
 * project is reported before keys are checked, and a body is read only for an admitted caller.
 */
@ApplicationScoped
class DataPlane {
    private static final Logger LOG = Logger.getLogger(DataPlane.class);
    private static final String REALTIME = "realtime";

    private final TenantDirectory tenants;
    private final Map<String, DataPlaneService> services;
    private final Map<String, DataPlaneStream> streams;
    private final ServiceDirectory directory;
    private final CredentialReader credentials;
    private final ServiceRun run;
    private final ProjectWatch watch;
    private final MemoryBudget memory;
    private final EdgeLog edgeLog;
    private final ApiConfig.Limits config;
    private final BodyLimits bodyLimits;

    DataPlane(
            TenantDirectory tenants,
            @All List<DataPlaneService> services,
            @All List<DataPlaneStream> streams,
            ServiceDirectory directory,
            CredentialReader credentials,
            @VirtualThreads ExecutorService virtualThreads,
            ProjectWatch watch,
            MemoryBudget memory,
            EdgeLog edgeLog,
            ApiConfig config) {
        this.tenants = tenants;
        // A sidecar has the keys that realtime needs, and serves nothing else.
        boolean all = !config.roles().contains(ServerRole.REALTIME_SIDECAR);
        this.services = services.stream()
                .filter(service -> all)
                .collect(Collectors.toMap(DataPlaneService::name, Function.identity()));
        this.streams = streams.stream()
                .filter(stream -> all || stream.name().equals(REALTIME))
                .collect(Collectors.toMap(DataPlaneStream::name, Function.identity()));
        this.directory = directory;
        this.credentials = credentials;
        this.run = new ServiceRun(virtualThreads);
        this.watch = watch;
        this.memory = memory;
        this.edgeLog = edgeLog;
        this.config = config.limits();
        this.bodyLimits = new BodyLimits(
                this.config.openBody().asLongValue(), this.config.dataBody().asLongValue());
    }

    /** The names of the services; creates their beans, and fails for one that does not describe itself. */
    Set<String> serves() {
        Set<String> names = new TreeSet<>(services.keySet());
        names.addAll(streams.keySet());
        names.forEach(directory::requireDescriptor);
        return names;
    }

    /** @param path percent-encoded as received, without the prefix of path style */
    void handle(RoutingContext context, String ref, String path) {
        Optional<Tenant> tenant = tenants.find(ref);
        if (tenant.isEmpty()) {
            GatewayResponse.error(context, unserved(ref));
            return;
        }
        Optional<DataPlanePath> target = directory.cut(path);
        edgeLog.watch(context, tenant.get(), path, target);
        ByteBudget.Account account = memory.ofProject(ref);
        // Also of an error that comes before the caller is known.
        ConnectionGuard.of(context.request()).ifPresent(guard -> guard.belongsTo(account));
        if (target.isEmpty()) {
            GatewayResponse.error(context, GatewayError.unknownPath(directory.prefixes()));
            return;
        }
        DataPlaneService service = services.get(target.get().service());
        DataPlaneStream stream = streams.get(target.get().service());
        if (stream != null && stream.isOpen(tenant.get(), target.get().rest())) {
            if (mayAnswer(context, account)) {
                stream(context, exchange(context, tenant.get(), Caller.anon(), target.get()), stream);
            }
            return;
        }
        if (service == null && stream == null) {
            GatewayResponse.error(context, GatewayError.notBuilt(target.get().service()));
            return;
        }
        Future<Void> keys = credentials.ready(tenant.get());
        if (keys.isComplete()) {
            admit(context, tenant.get(), target.get(), service, account);
        } else {
            context.request().pause();
            Context loop = context.vertx().getOrCreateContext();
            keys.onComplete(
                    end -> loop.runOnContext(now -> admit(context, tenant.get(), target.get(), service, account)));
        }
    }

    private ErrorResponse unserved(String ref) {
        if (tenants.suspended(ref).isPresent()) {
            return tenants.quarantined(ref) ? GatewayError.quarantined() : GatewayError.paused();
        }
        return watch.synced() ? GatewayError.unknownProject() : GatewayError.starting();
    }

    private void admit(
            RoutingContext context,
            Tenant tenant,
            DataPlanePath path,
            DataPlaneService service,
            ByteBudget.Account account) {
        HttpServerRequest request = context.request();
        long begun = System.nanoTime();
        Decision decision = CredentialTable.decide(
                credentials.apiKey(request, tenant),
                credentials.bearer(request, tenant),
                tenant.adoption().isPresent() || path.isUnauthenticated(request.method()));
        switch (decision) {
            case Decision.Refused refused ->
                GatewayResponse.error(context, path.descriptor().answer(refused.why(), request.headers()));
            case Decision.Accepted accepted -> {
                if (!mayAnswer(context, account)) {
                    return;
                }
                if (service == null) {
                    stream(context, exchange(context, tenant, accepted.caller(), path), streams.get(path.service()));
                    return;
                }
                if (accepted.caller().isAnonymous(tenant) && !mayAnswer(context, account.ofAnonymous())) {
                    return;
                }
                long admission = System.nanoTime() - begun;
                collect(
                        context,
                        path,
                        account,
                        body -> run.serve(
                                context,
                                request(context, tenant, accepted.caller(), path, body.bytes(), admission),
                                service,
                                body.memory()));
            }
        }
    }

    /** Charges the answer to an account, unless that holds more than its share. */
    private static boolean mayAnswer(RoutingContext context, ByteBudget.Account account) {
        ConnectionGuard.of(context.request()).ifPresent(guard -> guard.belongsTo(account));
        if (account.overdrawn()) {
            GatewayResponse.error(context, GatewayError.overloaded());
            return false;
        }
        return true;
    }

    /** Reads the body, if the project has the memory for it. */
    private void collect(
            RoutingContext context,
            DataPlanePath path,
            ByteBudget.Account account,
            Consumer<RequestBody.Collected> whole) {
        HttpServerRequest request = context.request();
        ByteBudget.Permit permit = account.open();
        if (permit.grow(RequestTarget.weight(request.uri())) != ByteBudget.Verdict.GRANTED) {
            GatewayResponse.error(context, GatewayError.overloaded());
            return;
        }
        long limit = path.bodyLimit(request.method(), bodyLimits);
        RequestBody.collect(
                request,
                BodyRules.of(config, limit, true),
                permit,
                whole,
                refusal -> GatewayResponse.error(context, GatewayError.bodyRefused(refusal, limit)));
    }

    /** @param otherwise answers if no service does */
    void preflight(RoutingContext context, String ref, String path, Runnable otherwise) {
        Optional<Tenant> tenant = tenants.find(ref);
        Optional<DataPlanePath> target = directory.cut(path);
        Optional<DataPlaneStream> stream = target.map(found -> streams.get(found.service()));
        if (tenant.isPresent() && stream.isPresent()) {
            stream.get().preflight(exchange(context, tenant.get(), Caller.anon(), target.orElseThrow()), otherwise);
        } else {
            otherwise.run();
        }
    }

    private static DataPlaneExchange exchange(
            RoutingContext context, Tenant tenant, Caller caller, DataPlanePath path) {
        HttpServerRequest request = context.request();
        return new DataPlaneExchange(
                tenant,
                caller,
                path.rest(),
                Objects.requireNonNullElse(request.query(), ""),
                request,
                RequestId.of(context));
    }

    private static void stream(RoutingContext context, DataPlaneExchange exchange, DataPlaneStream stream) {
        exchange.request().pause();
        try {
            stream.serve(exchange);
        } catch (RuntimeException | Error e) {
            LOG.errorf(e, "%s failed", stream.name());
            GatewayResponse.error(context, GatewayError.internal());
        }
    }

    private static DataPlaneRequest request(
            RoutingContext context, Tenant tenant, Caller caller, DataPlanePath path, Buffer body, long admission) {
        HttpServerRequest request = context.request();
        return new DataPlaneRequest(
                tenant,
                caller,
                request.method(),
                path.rest(),
                RequestTarget.encoded(Objects.requireNonNullElse(request.query(), "")),
                request.headers(),
                body,
                request.remoteAddress(),
                RequestId.of(context),
                context.response(),
                admission);
    }
}
