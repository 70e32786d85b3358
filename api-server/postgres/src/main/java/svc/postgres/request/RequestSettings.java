package svc.postgres.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import svc.database.sql.Identifier;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.json.ForeignJson;
import svc.postgres.Setting;

/**
 * The transaction-scoped settings of a request, under PostgREST's names, for policies and functions of the tenant. Values
 * are sent as binds.
 */
public final class RequestSettings {
    private static final ObjectMapper JSON = ForeignJson.mapper();
    private static final String COOKIE = "cookie";

    private RequestSettings() {}

    /**
     * The settings of a request.
     *
     * @param schema the exposed schema that comes first in the search path
     * @param role the role of the transaction, see {@link #role}
     * @param own settings of that role; the request's settings follow and override them
     */
    public static List<Setting> of(DataPlaneRequest request, Identifier schema, String role, List<Setting> own) {
        List<Setting> settings = new ArrayList<>();
        settings.add(Setting.of("search_path", request.tenant().requestSearchPath(schema)));
        settings.addAll(own);
        settings.add(Setting.of("role", role));
        settings.add(Setting.of("request.jwt.claims", claims(request, role)));
        settings.add(Setting.of("request.method", request.method().name()));
        settings.add(Setting.of("request.path", request.path()));
        settings.add(Setting.of("request.headers", headers(request)));
        settings.add(Setting.of("request.cookies", cookies(request)));
        return settings;
    }

    /**
     * The role that a request runs as. Empty for the name {@code none}: SET ROLE none selects the login itself, which no
     * token may use; no role can have that name.
     */
    public static Optional<String> role(DataPlaneRequest request) {
        return Optional.of(request.caller().roleName(request.tenant())).filter(role -> !role.equals("none"));
    }

    /**
     * In an adopted database the claim {@code role} is the role in force, as in PostgREST, whatever claim names it; in
     * other databases the claims name the kind of caller.
     */
    private static String claims(DataPlaneRequest request, String role) {
        String claims = request.caller().claims();
        if (request.tenant().adoption().isEmpty()) {
            return claims;
        }
        try {
            return JSON.readTree(claims) instanceof ObjectNode object
                    ? object.put("role", role).toString()
                    : claims;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while reading verified claims", e);
        }
    }

    /** One value per name, in lower case; the last value of a repeated header. Cookies have a setting of their own. */
    private static String headers(DataPlaneRequest request) {
        Map<String, String> headers = new LinkedHashMap<>();
        request.headers().forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
        headers.remove(COOKIE);
        return json(headers);
    }

    /** By name, the last of a repeated one. Always set: after another transaction its value would be an empty text. */
    private static String cookies(DataPlaneRequest request) {
        List<String> given = request.headers().getAll(COOKIE);
        if (given.isEmpty()) {
            return "{}";
        }
        Map<String, String> cookies = new LinkedHashMap<>();
        for (String header : given) {
            for (String pair : header.split(";")) {
                int equals = pair.indexOf('=');
                String name = (equals < 0 ? pair : pair.substring(0, equals)).strip();
                if (!name.isEmpty()) {
                    cookies.put(
                            name, equals < 0 ? "" : pair.substring(equals + 1).strip());
                }
            }
        }
        return json(cookies);
    }

    private static String json(Map<String, String> values) {
        try {
            return JSON.writeValueAsString(values);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while writing headers as JSON", e);
        }
    }
}
