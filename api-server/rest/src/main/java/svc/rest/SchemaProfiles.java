package svc.rest;

import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Optional;
import svc.database.sql.Identifier;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.Tenant;
import svc.rest.error.RestError;
import svc.rest.request.ApiRequest;

/**
 * Selects the schema of a request: PostgREST's {@code db-schemas}, {@code Accept-Profile} and {@code Content-Profile}.
 */
final class SchemaProfiles {
    private static final String PUBLIC = "public";

    private SchemaProfiles() {}

    /** @throws RestError PGRST106 for a schema that the project does not expose */
    static void check(Tenant tenant, ApiRequest read) {
        of(tenant, read);
    }

    /** @throws RestError PGRST106 for a schema that the project does not expose */
    static Identifier of(Tenant tenant, ApiRequest read) {
        return of(tenant, read.profile());
    }

    /** The same before the request is parsed. */
    static Identifier of(DataPlaneRequest request) {
        boolean reads =
                request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
        return of(
                request.tenant(),
                Optional.ofNullable(request.headers().get(reads ? "Accept-Profile" : "Content-Profile")));
    }

    private static Identifier of(Tenant tenant, Optional<String> asked) {
        List<String> exposed = tenant.exposedSchemas();
        if (asked.isEmpty()) {
            return Identifier.of(exposed.getFirst());
        }
        if (exposed.contains(asked.get())) {
            return Identifier.of(asked.get());
        }
        if (tenant.adoption().isEmpty() && asked.get().equals(PUBLIC)) {
            return tenant.names().schema();
        }
        throw RestError.schemaNotExposed(asked.get(), String.join(", ", exposed));
    }
}
