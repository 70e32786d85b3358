package svc.rest;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jboss.logging.Logger;
import svc.catalog.ImpersonatedRoleSettings;
import svc.catalog.SchemaCache;
import svc.crds.project.service.ErrorVerbosity;
import svc.platform.budget.Budget;
import svc.platform.config.OutageLog;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.dataplane.DataPlaneService;
import svc.platform.tenancy.DisplayedNames;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.postgres.flush.TenantTransactions;
import svc.rest.error.PostgresErrors;
import svc.rest.error.RestError;
import svc.rest.openapi.OpenApiRoot;
import svc.rest.request.ApiRequest;
import svc.rest.request.ApiRequest.Resource;
import svc.rest.request.ApiRequestReader;
import svc.rest.response.ErrorResponses;
import svc.rest.response.Response;

/**
 * The REST API over a project's schema, with PostgREST's behaviour: ApiRequest, Plan, Query, Response. Each stage but the
 * transaction is pure.
 */
public final class RestRequestHandler implements DataPlaneService {
    private static final Logger LOG = Logger.getLogger(RestRequestHandler.class);

    /** The request headers that a response depends on, for caches. */
    private static final String VARY = "Accept, Accept-Encoding, Accept-Profile, apikey, Authorization, Prefer, Range";

    /** Parsed and planned in a fraction of a millisecond. */
    private static final int MAX_EVENT_LOOP_BODY_BYTES = 64 * 1024;

    /** Each filter becomes a condition, a plan and SQL: a query string of 48 KB takes a hundred times a usual one. */
    private static final int MAX_EVENT_LOOP_QUERY_CHARS = 4 * 1024;

    private static final int MAX_EVENT_LOOP_SCHEMA_NAMES = 500;

    private final SchemaCache schemas;
    private final RestTransactions resources;
    private final BatchTransactions batches;
    private final OpenApiRoot root;
    private final boolean timed;
    private final ResponseCompression compression = new ResponseCompression();
    private final OutageLog outages = new OutageLog(Clock.systemUTC());

    public RestRequestHandler(TenantTransactions transactions, SchemaCache schemas) {
        this(transactions, schemas, false);
    }

    /** @param timed whether responses have a Server-Timing header */
    public RestRequestHandler(TenantTransactions transactions, SchemaCache schemas, boolean timed) {
        this.schemas = schemas;
        this.resources = new RestTransactions(transactions, schemas);
        this.batches = new BatchTransactions(transactions, schemas);
        this.root = new OpenApiRoot(transactions, schemas);
        this.timed = timed;
    }

    /** Places for writing OpenAPI documents, for metrics. */
    Budget documents() {
        return root.places();
    }

    @Override
    public String name() {
        return "rest";
    }

    @Override
    public void handle(DataPlaneRequest request) {
        try {
            respond(request).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException fault ? fault : e;
        }
    }

    /** Handles a request on the event loop if it neither blocks nor takes long, which is the common case. */
    @Override
    public Optional<CompletionStage<Void>> begin(DataPlaneRequest request) {
        return fitsEventLoop(request) ? Optional.of(respond(request)) : Optional.empty();
    }

    /**
     * The root (batches, OpenAPI) blocks, a schema that is not cached must be loaded first, and the search for hints in a
     * large schema takes as long as parsing a large body or a long query string.
     */
    private boolean fitsEventLoop(DataPlaneRequest request) {
        return request.path().length() > 1
                && request.query().length() <= MAX_EVENT_LOOP_QUERY_CHARS
                && request.body().length() <= MAX_EVENT_LOOP_BODY_BYTES
                && schemas.getIfPresent(request.tenant())
                        .filter(schema ->
                                schema.tables().size() + schema.routines().all().size() <= MAX_EVENT_LOOP_SCHEMA_NAMES)
                        .isPresent();
    }

    private CompletableFuture<Void> respond(DataPlaneRequest request) {
        var timing = new ServerTiming(request.admissionNanos());
        CompletableFuture<Response> answer;
        try {
            answer = answer(request, timing);
        } catch (RestError | SqlError | PoolExhausted e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.exceptionally(thrown -> toErrorResponse(request, RestTransactions.cause(thrown)))
                .thenCompose(response -> compression.of(request, response))
                .thenAccept(response -> send(request, response, timing));
    }

    private void send(DataPlaneRequest request, Response answer, ServerTiming timing) {
        HttpServerResponse response = request.response();
        if (response.closed()) {
            return;
        }
        response.setStatusCode(answer.status());
        response.putHeader("Vary", VARY);
        answer.headers().forEach(response::putHeader);
        answer.additionalHeaders().forEach(header -> response.headers().add(header.name(), header.value()));
        if (timed) {
            timing.lap("response");
            response.putHeader("Server-Timing", timing.header());
        }
        if (request.tenant().exposedSchemas().size() > 1 && answer.status() < 400) {
            response.putHeader("Content-Profile", SchemaProfiles.shown(request));
        }
        if (answer.body().length == 0) {
            response.end();
        } else {
            response.end(Buffer.buffer(Unpooled.wrappedBuffer(answer.body())));
        }
    }

    /** The whole pipeline. Only the root blocks. */
    private CompletableFuture<Response> answer(DataPlaneRequest request, ServerTiming timing) {
        if (!request.tenant().rest().enabled()) {
            throw RestError.disabled();
        }
        ApiRequest read = ApiRequestReader.read(
                request.method().name(),
                RootFunction.path(request),
                request.query(),
                request.headers(),
                request.body().getBytes());
        SchemaProfiles.check(request.tenant(), read);
        timing.lap("parse");
        return switch (read.resource()) {
            case Resource.Root unused
            when read.action() == ApiRequest.Action.INSERT ->
                CompletableFuture.completedFuture(batches.answer(request, read));
            case Resource.Root unused ->
                CompletableFuture.completedFuture(root.answer(
                        request,
                        read,
                        RoleSettings.of(request, ImpersonatedRoleSettings.NONE),
                        SchemaProfiles.of(request.tenant(), read)));
            case Resource.Relation unused -> resources.answer(request, read, timing);
            case Resource.Routine unused -> resources.answer(request, read, timing);
        };
    }

    /** Client errors and PostgreSQL errors are responses; other exceptions are faults of the server. */
    private Response toErrorResponse(DataPlaneRequest request, Throwable why) {
        DisplayedNames names = DisplayedNames.of(request.tenant());
        ErrorVerbosity verbosity = request.tenant().rest().errorVerbosity();
        return switch (why) {
            case RestError e -> ErrorResponses.of(e.withNames(names), verbosity);
            case PoolExhausted e -> {
                outages.line(request.tenant().ref(), e.getMessage())
                        .ifPresent(line -> LOG.warnf("%s: %s", request.tenant().ref(), line));
                yield ErrorResponses.of(RestError.poolTimeout(), verbosity);
            }
            case SqlError e -> {
                if (!e.fromServer()) {
                    String database = request.tenant().database().name();
                    outages.line(database + e.sqlState(), e.getMessage())
                            .ifPresent(line ->
                                    LOG.warnf("database %s is unavailable [%s]: %s", database, e.sqlState(), line));
                }
                boolean anonymous = request.caller().isAnonymous(request.tenant());
                yield ErrorResponses.of(PostgresErrors.of(e, anonymous).withNames(names), verbosity);
            }
            default -> throw new CompletionException(why);
        };
    }
}
