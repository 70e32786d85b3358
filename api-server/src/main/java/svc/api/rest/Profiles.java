package svc.api.rest;

import java.util.Optional;
import svc.api.rest.error.RestError;
import svc.api.rest.request.ApiRequest;
import svc.api.tenancy.Tenant;

/** Which schemas a request may name. */
final class Profiles {
    private static final String SHORT = "public";

    private Profiles() {}

    /** @throws RestError PGRST106 for another than the project's own, by its name or as {@code public} */
    static void check(Tenant tenant, ApiRequest read) {
        String schema = tenant.names().schemaName();
        Optional<String> unknown =
                read.profile().filter(profile -> !profile.equals(schema) && !profile.equals(SHORT));
        if (unknown.isPresent()) {
            throw RestError.profile(unknown.get(), schema + ", " + SHORT);
        }
    }
}
