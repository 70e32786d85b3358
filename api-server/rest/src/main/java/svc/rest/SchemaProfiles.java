package svc.rest;

import io.vertx.core.http.HttpMethod;
import java.util.Optional;
import svc.database.sql.Identifier;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.DisplayedNames;
import svc.platform.tenancy.Tenant;
import svc.rest.error.RestError;
import svc.rest.request.ApiRequest;

/**
 * Selects the schema of a request: PostgREST's {@code db-schemas}, {@code Accept-Profile} and {@code Content-Profile}.
 */
final class SchemaProfiles {
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
        return of(request.tenant(), asked(request));
    }

    private static Optional<String> asked(DataPlaneRequest request) {
        boolean reads =
                request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
        return Optional.ofNullable(request.headers().get(reads ? "Accept-Profile" : "Content-Profile"));
    }

    /** What an answer says of the schema that was used: the caller's own word, or else the name that applications use. */
    static String shown(DataPlaneRequest request) {
        return asked(request)
                .orElseGet(
                        () -> DisplayedNames.of(request.tenant()).in(of(request).name()));
    }

    private static Identifier of(Tenant tenant, Optional<String> asked) {
        String schema = asked.isEmpty()
                ? tenant.exposedSchemas().getFirst()
                : tenant.exposedSchema(asked.get())
                        .orElseThrow(() ->
                                RestError.schemaNotExposed(asked.get(), String.join(", ", tenant.exposedSchemas())));
        return Identifier.of(schema);
    }
}
