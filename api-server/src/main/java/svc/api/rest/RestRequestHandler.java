package svc.api.rest;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Clock;
import org.jboss.logging.Logger;
import svc.api.db.PoolExhausted;
import svc.api.db.SqlError;
import svc.api.db.TenantTransactions;
import svc.api.gateway.DataPlaneRequest;
import svc.api.gateway.DataPlaneService;
import svc.api.rest.error.PostgresErrors;
import svc.api.rest.error.RestError;
import svc.api.rest.openapi.OpenApiRoot;
import svc.api.rest.request.ApiRequest;
import svc.api.rest.request.ApiRequest.Resource;
import svc.api.rest.request.ApiRequestReader;
import svc.api.rest.response.ErrorResponses;
import svc.api.rest.response.Response;
import svc.api.rest.schema.SchemaCache;
import svc.api.runtime.OutageLog;

/**
 * The REST API over a project's schema, with PostgREST's behaviour: ApiRequest, Plan, Query, Response. Each stage but the
 * transaction is pure.
 */
public final class RestRequestHandler implements DataPlaneService {
    private static final Logger LOG = Logger.getLogger(RestRequestHandler.class);

    /** What decides an answer besides its address: a cache between us and the caller must look at it. */
    private static final String VARYING = "Accept, Accept-Profile, apikey, Authorization, Prefer, Range";

    private final RestTransactions resources;
    private final BatchTransactions batches;
    private final OpenApiRoot root;
    private final boolean timed;
    private final OutageLog outages = new OutageLog(Clock.systemUTC());

    public RestRequestHandler(TenantTransactions transactions, SchemaCache schemas) {
        this(transactions, schemas, false);
    }

    /** @param timed whether each answer says how long its stages took */
    public RestRequestHandler(TenantTransactions transactions, SchemaCache schemas, boolean timed) {
        this.resources = new RestTransactions(transactions, schemas);
        this.batches = new BatchTransactions(transactions, schemas);
        this.root = new OpenApiRoot(transactions, schemas);
        this.timed = timed;
    }

    @Override
    public String name() {
        return "rest";
    }

    @Override
    public void handle(DataPlaneRequest request) {
        var timing = new ServerTiming();
        Response answer = answer(request, timing);
        HttpServerResponse response = request.response().setStatusCode(answer.status());
        response.putHeader("Vary", VARYING);
        answer.headers().forEach(response::putHeader);
        answer.further().forEach(header -> response.headers().add(header.name(), header.value()));
        if (timed) {
            timing.lap("response");
            response.putHeader("Server-Timing", timing.header());
        }
        if (request.tenant().exposedSchemas().size() > 1 && answer.status() < 400) {
            response.putHeader("Content-Profile", Profiles.of(request).name());
        }
        if (answer.body().length == 0) {
            response.end();
        } else {
            response.end(Buffer.buffer(answer.body()));
        }
    }

    /** The whole pipeline; whatever a caller did wrong, or PostgreSQL refused, is an answer too. */
    private Response answer(DataPlaneRequest request, ServerTiming timing) {
        try {
            ApiRequest read = ApiRequestReader.read(
                    request.method().name(),
                    request.path(),
                    request.query(),
                    request.headers(),
                    request.body().getBytes());
            Profiles.check(request.tenant(), read);
            timing.lap("parse");
            return switch (read.resource()) {
                case Resource.Root unused
                when read.action() == ApiRequest.Action.INSERT -> batches.answer(request, read);
                case Resource.Root unused ->
                    root.answer(request, read, RequestSettings.of(request), Profiles.of(request.tenant(), read));
                case Resource.Relation unused -> resources.answer(request, read, timing);
                case Resource.Routine unused -> resources.answer(request, read, timing);
            };
        } catch (RestError e) {
            return ErrorResponses.of(e);
        } catch (PoolExhausted e) {
            outages.line(request.tenant().ref(), e.getMessage())
                    .ifPresent(line -> LOG.warnf("%s: %s", request.tenant().ref(), line));
            return ErrorResponses.of(RestError.busy());
        } catch (SqlError e) {
            if (!e.fromServer()) {
                String database = request.tenant().database().name();
                outages.line(database + e.sqlState(), e.getMessage())
                        .ifPresent(line ->
                                LOG.warnf("the database %s cannot be used [%s]: %s", database, e.sqlState(), line));
            }
            boolean anonymous = request.caller().isAnonymous(request.tenant());
            return ErrorResponses.of(PostgresErrors.of(e, anonymous));
        }
    }
}
