package svc.api.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import svc.api.db.Setting;
import svc.api.gateway.DataPlaneRequest;
import svc.database.sql.Identifier;

/** What policies and functions of a tenant can read about the request, under PostgREST's names. Values travel as binds. */
final class RequestSettings {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RequestSettings() {}

    static List<Setting> of(DataPlaneRequest request) {
        List<Setting> settings = new ArrayList<>();
        Identifier schema = request.tenant().names().schema();
        settings.add(Setting.of("search_path", schema.name() + ", svc_views, pg_catalog, extensions"));
        settings.add(Setting.of("role", request.caller().roleName(request.tenant())));
        settings.add(Setting.of("request.jwt.claims", request.caller().claims()));
        settings.add(Setting.of("request.method", request.method().name()));
        settings.add(Setting.of("request.path", request.path()));
        settings.add(Setting.of("request.headers", headers(request)));
        return settings;
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
