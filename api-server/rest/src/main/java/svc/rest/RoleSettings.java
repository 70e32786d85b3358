package svc.rest;

import java.util.List;
import svc.catalog.ImpersonatedRoleSettings;
import svc.platform.dataplane.DataPlaneRequest;
import svc.postgres.Setting;
import svc.postgres.request.RequestSettings;
import svc.rest.error.RestError;

/** The transaction-scoped settings of a request for the schema that it selects. */
final class RoleSettings {
    private RoleSettings() {}

    /**
     * @param own settings of the caller's role
     * @throws RestError for a role that no token may name
     */
    static List<Setting> of(DataPlaneRequest request, ImpersonatedRoleSettings own) {
        String role = RequestSettings.role(request).orElseThrow(() -> RestError.unknownRole("none"));
        return RequestSettings.of(request, SchemaProfiles.of(request), role, own.settings());
    }
}
