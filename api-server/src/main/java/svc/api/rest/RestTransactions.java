package svc.api.rest;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.api.db.Ending;
import svc.api.db.Flush;
import svc.api.db.FlushRow;
import svc.api.db.SqlError;
import svc.api.db.TenantTransactions;
import svc.api.gateway.DataPlaneRequest;
import svc.api.rest.error.RestError;
import svc.api.rest.plan.Plan;
import svc.api.rest.plan.Planner;
import svc.api.rest.plan.Rendering;
import svc.api.rest.query.MainQuery;
import svc.api.rest.request.ApiRequest;
import svc.api.rest.request.ApiRequest.Resource;
import svc.api.rest.response.Descriptions;
import svc.api.rest.response.Response;
import svc.api.rest.schema.ProjectSchema;
import svc.api.rest.schema.SchemaCache;
import svc.api.tenancy.Tenant;
import svc.database.sql.Identifier;

/** From a request that was read to its answer, for relations and functions: plan, statement, transaction, answer. */
final class RestTransactions {
    /** Refusals that say what the schema does not have, or has more than once. */
    private static final Set<String> MADE_FROM_SCHEMA = Set.of(
            "PGRST107", "PGRST118", "PGRST120", "PGRST200", "PGRST201", "PGRST202", "PGRST203", "PGRST204", "PGRST205");

    private static final String UNDEFINED_FUNCTION = "42883";

    private final TenantTransactions transactions;
    private final SchemaCache schemas;

    RestTransactions(TenantTransactions transactions, SchemaCache schemas) {
        this.transactions = transactions;
        this.schemas = schemas;
    }

    /**
     * What a plan takes from a schema that has changed since fails, here or in PostgreSQL; then it is made once more from
     * the schema of now. See {@link SchemaCache} for why no stale plan succeeds unnoticed.
     *
     * @throws RestError what the caller did wrong
     * @throws SqlError what PostgreSQL refused
     */
    Response answer(DataPlaneRequest request, ApiRequest read, ServerTiming timing) {
        Tenant tenant = request.tenant();
        ProjectSchema known = Plan.needsCurrentSchema(read) ? schemas.current(tenant) : schemas.get(tenant);
        try {
            return attempt(request, read, known, timing);
        } catch (RestError | SqlError e) {
            if (!mayBeStale(e)) {
                throw e;
            }
            ProjectSchema current = schemas.current(tenant);
            if (current.version().equals(known.version())) {
                throw e;
            }
            return attempt(request, read, current, timing);
        }
    }

    private Response attempt(DataPlaneRequest request, ApiRequest read, ProjectSchema schema, ServerTiming timing) {
        if (read.action() == ApiRequest.Action.INFO) {
            return described(request.tenant(), read, schema);
        }
        PreparedRequest prepared = PreparedRequest.of(request, read, schema);
        timing.lap("plan");
        if (prepared.writesNothing()) {
            return prepared.response().ofNothing();
        }
        FlushRow row = run(request, prepared);
        if (prepared.explained()) {
            timing.lap("transaction");
            return prepared.response().ofExplained(row);
        }
        Optional<Long> total = prepared.total(row, query -> explained(request, prepared, query));
        timing.lap("transaction");
        return prepared.response().of(row, total);
    }

    private static Response described(Tenant tenant, ApiRequest read, ProjectSchema schema) {
        Identifier profile = Profiles.of(tenant, read);
        var planner = new Planner(profile, schema.seenFrom(profile.name()), tenant.rest());
        return switch (read.resource()) {
            case Resource.Relation relation -> Descriptions.methods(planner.table(relation.name()));
            case Resource.Routine routine -> Descriptions.methods(planner.routines(routine.name()));
            case Resource.Root unused -> throw new IllegalArgumentException("the root describes itself");
        };
    }

    private FlushRow run(DataPlaneRequest request, PreparedRequest prepared) {
        try {
            return transactions.run(request.tenant(), request.caller().login(), prepared.flush());
        } catch (SqlError e) {
            throw withoutPostgis(e, prepared)
                    .<RuntimeException>map(refused -> refused)
                    .orElse(e);
        }
    }

    /** GeoJSON is of PostGIS: where that is not installed, there is no such media type. */
    static Optional<RestError> withoutPostgis(SqlError error, PreparedRequest prepared) {
        boolean missing = prepared.plan().output().rendering().format() instanceof Rendering.Format.GeoJson
                && error.is(UNDEFINED_FUNCTION)
                && error.getMessage().startsWith("function st_asgeojson(");
        return missing
                ? Optional.of(RestError.mediaType(prepared.read().accept().header()))
                : Optional.empty();
    }

    /** In a transaction of its own: the rows went out of theirs in one write. */
    private FlushRow explained(DataPlaneRequest request, PreparedRequest prepared, MainQuery query) {
        return transactions.run(
                request.tenant(),
                request.caller().login(),
                new Flush(
                        Flush.Access.READ,
                        prepared.settings(),
                        List.of(),
                        query.text(),
                        query.binds(),
                        new Ending.Commit()));
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
