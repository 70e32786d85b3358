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
import svc.catalog.RoleSettings;
import svc.database.sql.Identifier;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.Tenant;
import svc.postgres.Setting;
import svc.rest.error.RestError;

/** What policies and functions of a tenant can read about the request, under PostgREST's names. Values travel as binds. */
final class RequestSettings {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RequestSettings() {}

    /** @param own of the role that the caller becomes; what the request says itself stands behind it */
    static List<Setting> of(DataPlaneRequest request, RoleSettings own) {
        List<Setting> settings = new ArrayList<>();
        settings.add(Setting.of("search_path", searchPath(request.tenant(), Profiles.of(request))));
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

    /** PostgreSQL takes {@code none} for the login itself, which no token may become; no role can have that name. */
    private static String role(DataPlaneRequest request) {
        String role = request.caller().roleName(request.tenant());
        if (role.equals("none")) {
            throw RestError.noRole(role);
        }
        return role;
    }

    /** One value for each name, in lower case; of a repeated header the last. */
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
