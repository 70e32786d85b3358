package svc.rest.response;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.platform.json.ForeignJson;
import svc.postgres.flush.FlushRow;
import svc.rest.error.RestError;
import svc.rest.query.MainQuery.Result;
import svc.rest.response.Response.Header;

/**
 * PostgREST's GUCs {@code response.status} and {@code response.headers}, by which functions of the project override status
 * and headers.
 */
final class ResponseSettings {
    private static final Pattern STATUS = Pattern.compile("[2-5][0-9]{2}");

    private static final ObjectMapper JSON = ForeignJson.mapper();
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}");
    private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]*");
    private static final int MAX_HEADERS = 100;
    private static final int MAX_VALUE = 8_000;

    /** Headers of the HTTP connection: set by a tenant they would break the connection. */
    private static final Set<String> CONNECTION_HEADERS = Set.of(
            "connection",
            "content-length",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private ResponseSettings() {}

    /** @throws RestError PGRST111 or 112 for invalid headers or an invalid status */
    static Response over(Response response, FlushRow row) {
        Optional<Integer> status = row.text(Result.STATUS).map(ResponseSettings::status);
        List<Header> said =
                row.text(Result.HEADERS).map(ResponseSettings::headers).orElse(List.of());
        if (status.isEmpty() && said.isEmpty()) {
            return response;
        }
        Map<String, String> headers = new LinkedHashMap<>(response.headers());
        for (Header header : said) {
            headers.keySet().removeIf(name -> name.equalsIgnoreCase(header.name()));
        }
        return new Response(status.orElse(response.status()), headers, said, response.body());
    }

    private static int status(String text) {
        // Status codes below 200 are not final responses.
        if (!STATUS.matches(text)) {
            throw RestError.invalidResponseStatus();
        }
        return Integer.parseInt(text);
    }

    /** Parses headers in PostgREST's format, an array of objects with one key each. */
    static List<Header> headers(String json) {
        JsonNode list;
        try {
            list = JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw RestError.invalidResponseHeaders();
        }
        if (!list.isArray() || list.size() > MAX_HEADERS) {
            throw RestError.invalidResponseHeaders();
        }
        List<Header> headers = new ArrayList<>();
        for (JsonNode element : list) {
            if (!element.isObject() || element.size() != 1) {
                throw RestError.invalidResponseHeaders();
            }
            Map.Entry<String, JsonNode> entry = element.properties().iterator().next();
            if (!entry.getValue().isTextual()) {
                throw RestError.invalidResponseHeaders();
            }
            add(headers, entry.getKey(), entry.getValue().asText());
        }
        return headers;
    }

    /** @throws RestError PGRST111 for an invalid HTTP header */
    static void add(List<Header> headers, String name, String value) {
        if (!NAME.matcher(name).matches() || value.length() > MAX_VALUE || !VALUE.matches(value)) {
            throw RestError.invalidResponseHeaders();
        }
        if (!CONNECTION_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
            headers.add(new Header(name, value));
        }
    }
}
