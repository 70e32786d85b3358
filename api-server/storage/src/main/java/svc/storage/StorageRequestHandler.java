package svc.storage;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jboss.logging.MDC;
import svc.platform.dataplane.BodyRules;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.dataplane.DataPlaneStream;
import svc.platform.dataplane.RequestBody;
import svc.platform.dataplane.RequestId;
import svc.platform.memory.ByteBudget;
import svc.platform.tenancy.Tenant;
import svc.storage.RouteTable.Endpoint;
import svc.storage.RouteTable.Match;
import svc.storage.body.BodyReader;
import svc.storage.body.UploadBodies;
import svc.storage.body.UploadBodies.Sender;
import svc.storage.egress.Egress;
import svc.storage.http.Answers;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.resumable.TusResponses;
import svc.storage.s3.S3RequestHandler;

/**
 * The service {@code /storage/v1}: chooses the route of a request, reads small bodies whole and has uploads read as they
 * arrive. Endpoints run on virtual threads, but for
 * downloads, which run on the event loop.
 */
final class StorageRequestHandler implements DataPlaneStream {
    /** Of JSON: a thousand names of a KiB and what is around them. */
    static final long MAX_JSON = 2 << 20;

    private final RouteTable routes;
    private final S3RequestHandler s3;
    private final Function<String, ByteBudget.Account> memory;
    private final BodyRules small;
    private final UploadBodies files;
    private final Egress egress;
    private final ExecutorService threads;

    /**
     * @param memory of a project, by its ref
     * @param small rules of JSON bodies
     */
    StorageRequestHandler(
            StorageService.Protocols protocols,
            Function<String, ByteBudget.Account> memory,
            BodyRules small,
            Egress egress,
            ExecutorService threads) {
        this.routes = protocols.routes();
        this.s3 = protocols.s3();
        this.memory = memory;
        this.small = small;
        this.files = protocols.files();
        this.egress = egress;
        this.threads = threads;
    }

    @Override
    public String name() {
        return "storage";
    }

    @Override
    public List<String> calls() {
        return routes.calls();
    }

    /** Requests of the S3 protocol carry a signature instead of a key; of the state of the service all may ask. */
    @Override
    public boolean isOpen(Tenant tenant, String path) {
        return S3RequestHandler.isAddressed(path) || StorageService.OPEN_PATHS.contains(path);
    }

    @Override
    public void preflight(DataPlaneExchange exchange, Runnable otherwise) {
        otherwise.run();
    }

    @Override
    public void serve(DataPlaneExchange exchange) {
        if (S3RequestHandler.isAddressed(exchange.path())) {
            s3.serve(exchange);
            return;
        }
        HttpServerRequest request = exchange.request();
        try {
            requireService(exchange.tenant());
            Match match = routes.find(request.method(), exchange.path());
            var call =
                    new StorageCall(exchange, match.operation(), match.bucket(), match.object(), StorageCall.nothing());
            switch (match.endpoint()) {
                case Endpoint.Whole whole -> collect(call, whole);
                case Endpoint.Streamed streamed -> stream(call, streamed);
                case Endpoint.Direct direct -> answer(call, direct);
            }
        } catch (StorageError e) {
            refuse(exchange, e);
            RequestBody.discard(request);
        }
    }

    private static void requireService(Tenant tenant) {
        if (!tenant.storage().enabled()) {
            throw StorageError.disabled();
        }
        if (tenant.adoption().isPresent()) {
            throw StorageError.notBuilt("Storage for a project in an adopted database");
        }
    }

    private void collect(StorageCall call, Endpoint.Whole endpoint) {
        ByteBudget.Permit permit = memory.apply(call.tenant().ref()).open();
        RequestBody.collect(
                call.request(),
                small,
                permit,
                body -> onThread(
                        call,
                        () -> {
                            Buffer bytes = body.bytes();
                            if (sendsImage(call)) {
                                egress.begin(call.tenant(), call.response());
                            }
                            endpoint.answer().accept(call.withBody(bytes));
                        },
                        permit::close),
                refusal -> refuse(call.exchange(), refused(refusal)));
    }

    /** What is limited by the month: bytes of files, not their metadata. */
    private static boolean sendsImage(StorageCall call) {
        return call.operation().startsWith("storage.render.");
    }

    private static StorageError refused(RequestBody.Refusal refusal) {
        return switch (refusal) {
            case TOO_LARGE, TOO_COSTLY -> StorageError.invalidRequest("The body is larger than " + MAX_JSON + " bytes");
            case BUSY -> StorageError.slowDown();
            case TOO_SLOW -> StorageError.tooSlow();
        };
    }

    private void answer(StorageCall call, Endpoint.Direct endpoint) {
        if (RequestBody.isExpected(call.request())) {
            RequestBody.discard(call.request());
        } else {
            call.request().resume();
        }
        if (call.tenant().storage().egressLimitMB() == null) {
            begin(call, endpoint);
            return;
        }
        // The sums of all instances are waited for, which an event loop must not do.
        Context loop = Vertx.currentContext();
        onThread(
                call,
                () -> {
                    egress.begin(call.tenant(), call.response());
                    loop.runOnContext(now -> begin(call, endpoint));
                },
                () -> {});
    }

    private static void begin(StorageCall call, Endpoint.Direct endpoint) {
        try {
            endpoint.answer().accept(call, failure -> logged(call, () -> fail(call, failure)));
        } catch (RuntimeException | Error e) {
            logged(call, () -> fail(call, e));
        }
    }

    private void stream(StorageCall call, Endpoint.Streamed endpoint) {
        boolean anonymous = call.exchange().caller().isAnonymous(call.tenant());
        BodyReader body = files.open(call.tenant(), anonymous ? Sender.ANYONE : Sender.USER, call.request());
        Context loop = Vertx.currentContext();
        onThread(call, () -> endpoint.answer().accept(call, body), () -> {
            body.close();
            loop.runOnContext(now -> RequestBody.discard(call.request()));
        });
    }

    /** @param end runs however the work ends, and also when it cannot begin */
    private void onThread(StorageCall call, Runnable work, Runnable end) {
        try {
            threads.execute(() -> logged(call, () -> {
                try {
                    work.run();
                } catch (RuntimeException | Error e) {
                    fail(call, e);
                } finally {
                    end.run();
                }
            }));
        } catch (RejectedExecutionException e) {
            fail(call, StorageError.slowDown());
            end.run();
        }
    }

    /** What is logged meanwhile names the call. */
    private static void logged(StorageCall call, Runnable work) {
        MDC.put(RequestId.LOG_KEY, call.exchange().requestId());
        MDC.put("ref", call.tenant().ref());
        try {
            work.run();
        } finally {
            MDC.remove(RequestId.LOG_KEY);
            MDC.remove("ref");
        }
    }

    private static void fail(StorageCall call, Throwable failure) {
        refuse(call.exchange(), Failures.of(failure, call));
    }

    private static void refuse(DataPlaneExchange exchange, StorageError error) {
        HttpServerRequest request = exchange.request();
        if (TusResponses.serves(exchange.path())) {
            TusResponses.error(request, error);
        } else {
            Answers.error(request.response(), request.method(), exchange.requestId(), error);
        }
    }
}
