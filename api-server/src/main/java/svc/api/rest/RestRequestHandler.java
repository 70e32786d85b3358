package svc.api.rest;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;
import svc.api.db.Ending;
import svc.api.db.Flush;
import svc.api.db.FlushRow;
import svc.api.db.PoolExhausted;
import svc.api.db.SqlError;
import svc.api.db.TenantTransactions;
import svc.api.gateway.DataPlaneRequest;
import svc.api.gateway.DataPlaneService;
import svc.api.rest.error.PostgresErrors;
import svc.api.rest.error.RestError;
import svc.api.rest.openapi.OpenApiRoot;
import svc.api.rest.plan.Plan;
import svc.api.rest.plan.Planner;
import svc.api.rest.query.MainQuery;
import svc.api.rest.query.MainQuery.Result;
import svc.api.rest.query.PlannedRows;
import svc.api.rest.query.QueryBuilder;
import svc.api.rest.request.ApiRequest;
import svc.api.rest.request.ApiRequest.Resource;
import svc.api.rest.request.ApiRequestReader;
import svc.api.rest.response.Descriptions;
import svc.api.rest.response.ErrorResponses;
import svc.api.rest.response.Response;
import svc.api.rest.response.ResponseBuilder;
import svc.api.rest.schema.ProjectSchema;
import svc.api.rest.schema.SchemaCache;
import svc.api.runtime.OutageLog;
import svc.api.tenancy.Tenant;
import svc.database.name.DatabaseRole;

/**
 * The REST API over a project's schema, with PostgREST's behaviour: ApiRequest, Plan, Query, Response. Each stage but the
 * transaction is pure.
 */
public final class RestRequestHandler implements DataPlaneService {
    private static final Logger LOG = Logger.getLogger(RestRequestHandler.class);

    /** Refusals that say what the schema does not have, or has more than once. */
    private static final Set<String> MADE_FROM_SCHEMA =
            Set.of("PGRST118", "PGRST120", "PGRST200", "PGRST201", "PGRST204", "PGRST205");

    private final TenantTransactions transactions;
    private final SchemaCache schemas;
    private final OpenApiRoot root;
    private final OutageLog outages = new OutageLog(Clock.systemUTC());

    public RestRequestHandler(TenantTransactions transactions, SchemaCache schemas) {
        this.transactions = transactions;
        this.schemas = schemas;
        this.root = new OpenApiRoot(transactions, schemas);
    }

    @Override
    public String name() {
        return "rest";
    }

    @Override
    public void handle(DataPlaneRequest request) {
        Response answer = answer(request);
        HttpServerResponse response = request.response().setStatusCode(answer.status());
        answer.headers().forEach(response::putHeader);
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
    private Response answer(DataPlaneRequest request) {
        try {
            ApiRequest read = ApiRequestReader.read(
                    request.method().name(),
                    request.path(),
                    request.query(),
                    request.headers(),
                    request.body().getBytes());
            Profiles.check(request.tenant(), read);
            return switch (read.resource()) {
                case Resource.Root unused ->
                    root.answer(request, read, RequestSettings.of(request), Profiles.of(request.tenant(), read));
                case Resource.Relation relation -> relation(request, read, relation.name());
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
            boolean anonymous = request.caller().role() == DatabaseRole.ANON;
            return ErrorResponses.of(PostgresErrors.of(e, anonymous));
        }
    }

    /**
     * What a plan takes from a schema that has changed since fails, here or in PostgreSQL; then it is made once more from
     * the schema of now. See {@link SchemaCache} for why no stale plan succeeds unnoticed.
     */
    private Response relation(DataPlaneRequest request, ApiRequest read, String name) {
        Tenant tenant = request.tenant();
        ProjectSchema known = Plan.needsCurrentSchema(read) ? schemas.current(tenant) : schemas.get(tenant);
        try {
            return attempt(request, read, name, known);
        } catch (RestError | SqlError e) {
            if (!mayBeStale(e)) {
                throw e;
            }
            ProjectSchema current = schemas.current(tenant);
            if (current.version().equals(known.version())) {
                throw e;
            }
            return attempt(request, read, name, current);
        }
    }

    private Response attempt(DataPlaneRequest request, ApiRequest read, String name, ProjectSchema schema) {
        Tenant tenant = request.tenant();
        var planner = new Planner(
                Profiles.of(tenant, read),
                schema.seenFrom(Profiles.of(tenant, read).name()),
                tenant.rest());
        if (read.action() == ApiRequest.Action.INFO) {
            return Descriptions.methods(planner.table(name));
        }
        Plan plan = planner.plan(read, name);
        if (writesNothing(plan)) {
            return ResponseBuilder.ofNothing(read);
        }
        FlushRow row = run(request, read, plan);
        return ResponseBuilder.of(read, plan, row, total(request, plan, row));
    }

    /** What was counted, or what the planner expects where that is wanted or counting was broken off. */
    private Optional<Long> total(DataPlaneRequest request, Plan plan, FlushRow row) {
        Optional<Long> counted = row.text(Result.TOTAL).map(Long::parseLong);
        if (!(plan instanceof Plan.Read read) || read.count().isEmpty()) {
            return counted;
        }
        boolean complete = counted.isPresent()
                && (read.countUpTo().isEmpty()
                        || counted.get() < read.countUpTo().getAsLong());
        if (complete) {
            return counted;
        }
        MainQuery query = QueryBuilder.counting(read);
        FlushRow explained = transactions.run(
                request.tenant(),
                request.caller().login(),
                new Flush(
                        Flush.Access.READ,
                        RequestSettings.of(request),
                        query.text(),
                        query.binds(),
                        new Ending.Commit()));
        long expected = PlannedRows.of(explained.text(0).orElseThrow());
        return Optional.of(Math.max(expected, counted.orElse(0L)));
    }

    private FlushRow run(DataPlaneRequest request, ApiRequest read, Plan plan) {
        MainQuery query = QueryBuilder.build(plan);
        boolean writes = read.action().writes();
        boolean conditional = writes
                && (read.answer().singular()
                        || read.preferences().strictMaxAffected().isPresent());
        Ending ending =
                conditional ? new Ending.CommitIf(row -> ResponseBuilder.acceptable(read, row)) : new Ending.Commit();
        return transactions.run(
                request.tenant(),
                request.caller().login(),
                new Flush(
                        writes ? Flush.Access.WRITE : Flush.Access.READ,
                        RequestSettings.of(request),
                        query.text(),
                        query.binds(),
                        ending));
    }

    private static boolean writesNothing(Plan plan) {
        return switch (plan) {
            case Plan.Insert insert -> insert.groups().isEmpty();
            case Plan.Update update -> update.columns().isEmpty();
            case Plan.Read unused -> false;
            case Plan.Delete unused -> false;
        };
    }

    private static boolean mayBeStale(RuntimeException error) {
        return switch (error) {
            case RestError refused -> MADE_FROM_SCHEMA.contains(refused.code());
            // Syntax and access rules, data that does not fit its type, a plan over something that changed.
            case SqlError sql -> sql.sqlState().matches("(42|22|0A).*");
            default -> false;
        };
    }
}
