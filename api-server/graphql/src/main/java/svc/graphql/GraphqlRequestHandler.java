package svc.graphql;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jboss.logging.Logger;
import svc.catalog.SchemaCache;
import svc.graphql.GraphqlTransactions.Selected;
import svc.graphql.document.Documents;
import svc.graphql.error.GraphqlError;
import svc.graphql.error.RequestError;
import svc.graphql.request.GraphqlRequestReader;
import svc.graphql.request.InvalidRequest;
import svc.graphql.request.PersistedQueries;
import svc.graphql.request.RequestMemory;
import svc.graphql.response.GraphqlResponse;
import svc.graphql.response.ResponseMedia;
import svc.platform.config.OutageLog;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.dataplane.DataPlaneService;
import svc.platform.memory.ByteBudget;
import svc.platform.tenancy.DisplayedNames;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.postgres.flush.TenantTransactions;

/**
 * The GraphQL API over a project's schema, with pg_graphql's schema and answers: request, document, plan, statement, answer.
 * Each stage but the transaction is pure.
 */
public final class GraphqlRequestHandler implements DataPlaneService {
    private static final Logger LOG = Logger.getLogger(GraphqlRequestHandler.class);

    /** The request headers that an answer depends on, for caches. */
    private static final String VARY = "Accept, apikey, Authorization";

    /** Read and parsed in a fraction of a millisecond. */
    private static final int MAX_EVENT_LOOP_BYTES = 4 * 1024;

    private static final int DOCUMENTS_SHARE = 8;

    private final Function<String, ByteBudget.Account> memory;
    private final GraphqlTransactions operations;
    private final GraphqlRequestReader requests;
    private final OutageLog outages = new OutageLog(Clock.systemUTC());

    /**
     * @param memory the account of a project
     * @param cacheBytes heap of the caches: schemas of roles, parsed and persisted documents
     * @param blocking runs what takes long: building schemas, introspection, large operations, mutations of several fields
     */
    public GraphqlRequestHandler(
            TenantTransactions transactions,
            SchemaCache projects,
            Function<String, ByteBudget.Account> memory,
            long cacheBytes,
            Executor blocking) {
        this.memory = memory;
        long documents = cacheBytes / DOCUMENTS_SHARE;
        this.requests = new GraphqlRequestReader(new PersistedQueries(documents));
        this.operations = new GraphqlTransactions(
                transactions,
                projects,
                new RoleSchemas(transactions, cacheBytes - 2 * documents, blocking),
                new Documents(documents),
                blocking);
    }

    @Override
    public String name() {
        return "graphql";
    }

    @Override
    public void handle(DataPlaneRequest request) {
        try {
            respond(request, held -> operations.select(request.tenant(), requests.read(request), held))
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException fault ? fault : e;
        }
    }

    /**
     * On the event loop if the operation is small and the schema is cached, which is the common case. The size of the request
     * does not tell: a hash may name a long document, and a short document may spread its fragments often.
     */
    @Override
    public Optional<CompletionStage<Void>> begin(DataPlaneRequest request) {
        if (request.body().length() + request.query().length() > MAX_EVENT_LOOP_BYTES || !operations.isKnown(request)) {
            return Optional.empty();
        }
        Optional<Selected> small;
        try {
            small = operations.small(request.tenant(), requests.read(request));
        } catch (GraphqlError | InvalidRequest e) {
            return Optional.of(respond(request, held -> {
                throw e;
            }));
        }
        return small.map(selected -> respond(request, held -> selected));
    }

    /** @param selecting reads the request */
    private CompletableFuture<Void> respond(DataPlaneRequest request, Function<RequestMemory, Selected> selecting) {
        ResponseMedia media = ResponseMedia.of(request.headers().getAll("Accept"));
        String ref = request.tenant().ref();
        var held = new RequestMemory(ref, memory.apply(ref));
        CompletableFuture<GraphqlResponse> answer;
        try {
            answer = answer(request, selecting, held);
        } catch (GraphqlError | InvalidRequest | SqlError | PoolExhausted e) {
            answer = CompletableFuture.failedFuture(e);
        } catch (RuntimeException | Error e) {
            held.close();
            throw e;
        }
        return answer.whenComplete((made, thrown) -> held.close())
                .exceptionally(thrown -> toAnswer(request, GraphqlTransactions.cause(thrown)))
                .thenAccept(made -> send(request, made, media));
    }

    private CompletableFuture<GraphqlResponse> answer(
            DataPlaneRequest request, Function<RequestMemory, Selected> selecting, RequestMemory held) {
        if (!request.tenant().graphql().enabled()) {
            throw new InvalidRequest(404, "The GraphQL API of this project is disabled");
        }
        Selected selected;
        try {
            selected = selecting.apply(held);
        } catch (GraphqlError e) {
            throw new RequestError(e.getMessage());
        }
        return operations.answer(request, selected, held);
    }

    private static void send(DataPlaneRequest request, GraphqlResponse answer, ResponseMedia media) {
        HttpServerResponse response = request.response();
        if (response.closed()) {
            return;
        }
        int status = answer.status(media);
        response.setStatusCode(status);
        response.putHeader("Content-Type", media.contentType());
        response.putHeader("Vary", VARY);
        if (status == 503) {
            response.putHeader("Retry-After", "1");
        }
        if (status == 405) {
            response.putHeader("Allow", "POST, GET");
        }
        response.end(Buffer.buffer(Unpooled.wrappedBuffer(answer.body(media))));
    }

    /** Errors of clients and of PostgreSQL are answers; other exceptions are faults of the server. */
    private GraphqlResponse toAnswer(DataPlaneRequest request, Throwable why) {
        DisplayedNames names = DisplayedNames.of(request.tenant());
        return switch (why) {
            case RequestError e -> GraphqlResponse.invalid(200, e.getMessage());
            case GraphqlError e -> GraphqlResponse.refused(e.getMessage());
            case InvalidRequest e -> GraphqlResponse.invalid(e.status(), e.getMessage());
            case OperationRun.ImpactError e -> GraphqlResponse.failed(200, e.getMessage());
            case PoolExhausted e -> {
                outages.line(request.tenant().ref(), e.getMessage())
                        .ifPresent(line -> LOG.warnf("%s: %s", request.tenant().ref(), line));
                yield GraphqlResponse.failed(504, "Timed out acquiring connection from connection pool.");
            }
            case SqlError e when e.fromServer() -> GraphqlResponse.failed(200, names.in(e.getMessage()));
            case SqlError e when e.is(SqlError.TOO_LARGE) -> GraphqlResponse.failed(200, e.getMessage());
            case SqlError e -> {
                String database = request.tenant().database().name();
                outages.line(database + e.sqlState(), e.getMessage())
                        .ifPresent(
                                line -> LOG.warnf("database %s is unavailable [%s]: %s", database, e.sqlState(), line));
                yield GraphqlResponse.failed(503, "Database connection error. Retrying the connection.");
            }
            default -> throw new CompletionException(why);
        };
    }
}
