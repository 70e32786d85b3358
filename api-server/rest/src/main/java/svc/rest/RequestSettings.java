package svc.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.catalog.ImpersonatedRoleSettings;
import svc.database.sql.Identifier;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.Tenant;
import svc.postgres.Setting;
import svc.rest.error.RestError;

/**
 * The transaction-scoped settings of a request, under PostgREST's names, for policies and functions of the tenant. Values
 * are sent as binds.
 */
final class RequestSettings {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RequestSettings() {}

    /** @param own settings of the caller's role; the request's settings follow and override them */
    static List<Setting> of(DataPlaneRequest request, ImpersonatedRoleSettings own) {
        List<Setting> settings = new ArrayList<>();
        settings.add(Setting.of("search_path", searchPath(request.tenant(), SchemaProfiles.of(request))));
        settings.addAll(own.settings());
        settings.add(Setting.of("role", role(request)));
        settings.add(Setting.of("request.jwt.claims", request.caller().claims()));
        settings.add(Setting.of("request.method", request.method().name()));
        settings.add(Setting.of("request.path", request.path()));
        settings.add(Setting.of("request.headers", headers(request)));
        return settings;
    }

    private static String searchPath(Tenant tenant, Identifier schema) {
        return tenant.adoption().isEmpty()
                ? schema.name() + ", svc_views, pg_catalog, extensions"
                : Stream.concat(
                                Stream.of(schema),
                                tenant.extraSearchPath().stream().map(Identifier::of))
                        .map(Identifier::sql)
                        .distinct()
                        .collect(Collectors.joining(", "));
    }

    /** SET ROLE none selects the login itself, which no token may use; no role can have that name. */
    private static String role(DataPlaneRequest request) {
        String role = request.caller().roleName(request.tenant());
        if (role.equals("none")) {
            throw RestError.unknownRole(role);
        }
        return role;
    }

    /** One value per name, in lower case; the last value of a repeated header. */
    private static String headers(DataPlaneRequest request) {
        Map<String, String> headers = new LinkedHashMap<>();
        request.headers().forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
        try {
            return JSON.writeValueAsString(headers);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while writing headers as JSON", e);
        }
    }
}
