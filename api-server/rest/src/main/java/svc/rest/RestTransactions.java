package svc.rest;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import svc.catalog.ProjectSchema;
import svc.catalog.SchemaCache;
import svc.database.sql.Identifier;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.SqlError;
import svc.postgres.flush.Flush;
import svc.postgres.flush.FlushRow;
import svc.postgres.flush.InFlightRequest;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;
import svc.rest.error.RestError;
import svc.rest.plan.Plan;
import svc.rest.plan.Planner;
import svc.rest.plan.Rendering;
import svc.rest.request.ApiRequest;
import svc.rest.request.ApiRequest.Resource;
import svc.rest.response.AllowedMethods;
import svc.rest.response.Response;

/** Answers parsed requests for relations and functions: plan, statement, transaction, response. */
final class RestTransactions {
    private static final List<String> STALE_STATES = List.of("42", "22", "0A");
    /** Error codes about names that the schema does not have, or has more than once. */
    private static final Set<String> SCHEMA_ERRORS = Set.of(
            "PGRST107", "PGRST118", "PGRST120", "PGRST200", "PGRST201", "PGRST202", "PGRST203", "PGRST204", "PGRST205");

    private static final String UNDEFINED_FUNCTION = "42883";

    private final TenantTransactions transactions;
    private final SchemaCache schemas;

    RestTransactions(TenantTransactions transactions, SchemaCache schemas) {
        this.transactions = transactions;
        this.schemas = schemas;
    }

    /**
     * Does not block. A plan from a stale schema fails, here or in PostgreSQL, and is then made once more from the current
     * schema; see {@link SchemaCache} for why no stale plan succeeds unnoticed. Fails with {@link RestError} for client
     * errors and with {@link SqlError} for PostgreSQL errors.
     */
    CompletableFuture<Response> answer(DataPlaneRequest request, ApiRequest read, ServerTiming timing) {
        Tenant tenant = request.tenant();
        return (Plan.needsCurrentSchema(read) ? schemas.currentAsync(tenant) : schemas.getAsync(tenant))
                .thenCompose(known -> attempt(request, read, known, timing).exceptionallyCompose(thrown -> {
                    Throwable refused = cause(thrown);
                    return mayBeStale(refused)
                            ? retryWithCurrentSchema(request, read, known, timing, refused)
                            : CompletableFuture.failedFuture(refused);
                }));
    }

    private CompletableFuture<Response> retryWithCurrentSchema(
            DataPlaneRequest request, ApiRequest read, ProjectSchema known, ServerTiming timing, Throwable refused) {
        return schemas.currentAsync(request.tenant())
                .thenCompose(current -> current.version().equals(known.version())
                        ? CompletableFuture.failedFuture(refused)
                        : attempt(request, read, current, timing));
    }

    /** The cause of a failed stage. */
    static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    }

    private CompletableFuture<Response> attempt(
            DataPlaneRequest request, ApiRequest read, ProjectSchema schema, ServerTiming timing) {
        PreparedRequest prepared;
        try {
            if (read.action() == ApiRequest.Action.INFO) {
                return CompletableFuture.completedFuture(allowedMethods(request.tenant(), read, schema));
            }
            prepared = PreparedRequest.of(request, read, schema);
        } catch (RestError e) {
            return CompletableFuture.failedFuture(e);
        }
        timing.lap("plan");
        if (prepared.isEmptyWrite()) {
            return CompletableFuture.completedFuture(prepared.response().ofNothing());
        }
        return run(request, prepared.flush())
                .exceptionallyCompose(thrown -> CompletableFuture.failedFuture(toError(cause(thrown), prepared)))
                .thenCompose(row -> answered(request, prepared, row, timing));
    }

    private CompletableFuture<Response> answered(
            DataPlaneRequest request, PreparedRequest prepared, FlushRow row, ServerTiming timing) {
        if (prepared.explained()) {
            timing.lap("transaction");
            return CompletableFuture.completedFuture(prepared.response().ofExplained(row));
        }
        return total(request, prepared, row).thenApply(total -> {
            timing.lap("transaction");
            return prepared.response().of(row, total);
        });
    }

    private static Response allowedMethods(Tenant tenant, ApiRequest read, ProjectSchema schema) {
        Identifier profile = SchemaProfiles.of(tenant, read);
        var planner = new Planner(profile, schema.withDefaultSchema(profile.name()), tenant.rest());
        return switch (read.resource()) {
            case Resource.Relation relation -> AllowedMethods.methods(planner.table(relation.name()));
            case Resource.Routine routine -> AllowedMethods.methods(planner.routines(routine.name()));
            case Resource.Root unused -> throw new IllegalArgumentException("the root describes itself");
        };
    }

    /** Cancels the statement when the client closes the connection. */
    private CompletableFuture<FlushRow> run(DataPlaneRequest request, Flush flush) {
        InFlightRequest running =
                transactions.start(request.tenant(), request.caller().login(), flush);
        if (!running.row().isDone()) {
            request.response().closeHandler(gone -> running.cancel());
        }
        return running.row();
    }

    private static Throwable toError(Throwable why, PreparedRequest prepared) {
        return why instanceof SqlError error
                ? withoutPostgis(error, prepared)
                        .<Throwable>map(refused -> refused)
                        .orElse(error)
                : why;
    }

    /** GeoJSON requires PostGIS; without it the media type is not available. */
    static Optional<RestError> withoutPostgis(SqlError error, PreparedRequest prepared) {
        boolean missing = prepared.plan().output().rendering().format() instanceof Rendering.Format.GeoJson
                && error.is(UNDEFINED_FUNCTION)
                && error.getMessage().startsWith("function st_asgeojson(");
        return missing
                ? Optional.of(
                        RestError.mediaTypeNotAvailable(prepared.read().accept().header()))
                : Optional.empty();
    }

    /** The counted or, in a second transaction, estimated total: the first transaction ended with the rows. */
    private CompletableFuture<Optional<Long>> total(DataPlaneRequest request, PreparedRequest prepared, FlushRow row) {
        return prepared.estimate(row)
                .map(query -> new Flush(
                        Access.READ,
                        prepared.settings(),
                        List.of(),
                        query.text(),
                        query.binds(),
                        new TransactionEnd.Commit()))
                .map(flush -> run(request, flush).thenApply(explained -> prepared.estimated(row, explained)))
                .orElseGet(() -> CompletableFuture.completedFuture(prepared.counted(row)));
    }

    private static boolean mayBeStale(Throwable error) {
        return switch (error) {
            case RestError refused -> SCHEMA_ERRORS.contains(refused.code());
            // Syntax error or access rule violation, data exception, feature not supported: the plan may be stale.
            case SqlError sql -> STALE_STATES.stream().anyMatch(sql.sqlState()::startsWith);
            default -> false;
        };
    }
}
