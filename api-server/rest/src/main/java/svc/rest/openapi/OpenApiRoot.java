package svc.rest.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.catalog.ProjectSchema;
import svc.catalog.SchemaCache;
import svc.crds.project.service.OpenApiMode;
import svc.database.sql.Identifier;
import svc.platform.budget.Budget;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.DisplayedNames;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.Setting;
import svc.postgres.flush.Flush;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;
import svc.rest.error.RestError;
import svc.rest.request.ApiRequest;
import svc.rest.response.Response;

/** Answers requests for the root path with the OpenAPI document. */
public final class OpenApiRoot {
    private final TenantTransactions transactions;
    private final SchemaCache schemas;
    private final DocumentWriter writer = new DocumentWriter();

    public OpenApiRoot(TenantTransactions transactions, SchemaCache schemas) {
        this.transactions = transactions;
        this.schemas = schemas;
    }

    /** For metrics. */
    public Budget places() {
        return writer.places();
    }

    /**
     * Answers a request of any method.
     *
     * @param settings the transaction-scoped settings of the request
     * @param profile the described schema
     * @throws RestError PGRST117 for a method that writes, PGRST107 for an unavailable media type, PGRST126 if the document
     *     is disabled or too large, PGRST003 when too many are being written
     */
    public Response answer(DataPlaneRequest request, ApiRequest read, List<Setting> settings, Identifier profile) {
        OpenApiMode mode = request.tenant().rest().openapiMode();
        if (read.action() == ApiRequest.Action.INFO) {
            return new Response(200, Map.of("Allow", "OPTIONS,GET,HEAD"), new byte[0]);
        }
        if (read.action() != ApiRequest.Action.READ) {
            throw RestError.unsupportedMethod(request.method().name());
        }
        if (mode == OpenApiMode.DISABLED) {
            throw new RestError(
                    404, "PGRST126", "Root endpoint metadata is disabled", Optional.empty(), Optional.empty());
        }
        OpenApiFormat format =
                OpenApiFormat.negotiate(Optional.ofNullable(request.headers().get("Accept")));
        ApiDescription api = describe(request, settings, mode, profile.name());
        ObjectNode document = switch (format) {
            case SWAGGER -> SwaggerDocument.of(api);
            case OPENAPI_3_1 -> OpenApi31Document.of(api);
        };
        byte[] body = read.headOnly()
                ? new byte[0]
                : writer.write(caller(request.tenant()), api.columns(), document, DisplayedNames.of(request.tenant()));
        return new Response(200, Map.of("Content-Type", format.contentType()), body);
    }

    /** Uses the current schema: people and generators read the document right after a change. */
    private ApiDescription describe(
            DataPlaneRequest request, List<Setting> settings, OpenApiMode mode, String exposed) {
        Tenant tenant = request.tenant();
        ProjectSchema schema = schemas.current(tenant);
        String title = "REST API of project " + tenant.ref();
        URI url = URI.create(tenant.restUrl());
        if (mode == OpenApiMode.IGNORE_PRIVILEGES) {
            return ApiDescription.of(url, title, schema, exposed, table -> true, routine -> true);
        }
        Privileges granted = Privileges.of(transactions.run(
                tenant,
                request.caller().login(),
                new Flush(
                        Access.READ,
                        settings,
                        Privileges.QUERY,
                        Privileges.binds(schema),
                        new TransactionEnd.Commit())));
        return ApiDescription.of(
                url,
                title,
                schema,
                exposed,
                table -> granted.tables().contains(table.oid()),
                routine -> granted.routines().contains(routine.oid()));
    }

    private static Caller caller(Tenant tenant) {
        return new Caller(tenant.organization(), tenant.ref());
    }
}
