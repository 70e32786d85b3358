package svc.server.gateway;

import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jboss.logging.MDC;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.dataplane.DataPlaneService;
import svc.platform.dataplane.RequestId;
import svc.platform.dataplane.UpstreamFailedException;
import svc.platform.memory.ByteBudget;

/** Runs a service for a request that is admitted and whole, and answers for it when it fails. */
final class ServiceRun {
    private static final Logger LOG = Logger.getLogger(ServiceRun.class);
    private static final String REF_LOG_KEY = "ref";

    private final ExecutorService virtualThreads;

    ServiceRun(ExecutorService virtualThreads) {
        this.virtualThreads = virtualThreads;
    }

    /**
     * Runs on the event loop if the service can; otherwise on a virtual thread. The memory is in use until the service is
     * done: a client that leaves does not end its work.
     */
    void serve(RoutingContext context, DataPlaneRequest request, DataPlaneService service, ByteBudget.Permit permit) {
        try {
            Optional<CompletionStage<Void>> begun = logged(request, () -> service.begin(request));
            if (begun.isPresent()) {
                begun.get().whenComplete((done, fault) -> {
                    permit.close();
                    if (fault != null) {
                        failed(context, service, fault instanceof CompletionException e ? e.getCause() : fault);
                    }
                });
                return;
            }
        } catch (RuntimeException | Error e) {
            permit.close();
            failed(context, service, e);
            return;
        }
        virtualThreads.execute(() -> {
            try (permit) {
                logged(request, () -> {
                    service.handle(request);
                    return null;
                });
            } catch (RuntimeException | Error e) {
                failed(context, service, e);
            }
        });
    }

    /** Log lines of the work carry the request id and the project's ref. */
    private static <T> T logged(DataPlaneRequest request, Supplier<T> work) {
        MDC.put(RequestId.LOG_KEY, request.requestId());
        MDC.put(REF_LOG_KEY, request.tenant().ref());
        try {
            return work.get();
        } finally {
            MDC.remove(RequestId.LOG_KEY);
            MDC.remove(REF_LOG_KEY);
        }
    }

    private static void failed(RoutingContext context, DataPlaneService service, Throwable fault) {
        if (fault instanceof UpstreamFailedException) {
            LOG.warnf(fault, "%s: upstream failed", service.name());
            GatewayResponse.error(context, GatewayError.upstreamFailed());
        } else {
            LOG.errorf(fault, "%s failed", service.name());
            GatewayResponse.error(context, GatewayError.internal());
        }
    }
}
