package svc.rest.response;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import svc.platform.json.ForeignJson;
import svc.rest.request.ApiRequest;
import svc.rest.request.ApiRequest.Resource;

/** The values of Content-Location and Location. */
final class ContentLocation {
    private static final ObjectMapper JSON = ForeignJson.mapper();

    /** Clients and proxies refuse long headers: Node.js above 16 KB in total, nginx above 4 KB by default. */
    private static final int MAX_LENGTH = 2_000;

    private ContentLocation() {}

    /** The request's relation with its parameters sorted by name; empty if it is too long for a header. */
    static Optional<String> of(ApiRequest request) {
        String name = request.resource() instanceof Resource.Relation relation ? relation.name() : "";
        var query = new StringJoiner("&");
        request.canonicalQuery()
                .forEach(parameter -> query.add(encoded(parameter.key()) + "=" + encoded(parameter.value())));
        String location = "/" + encoded(name) + (query.length() == 0 ? "" : "?" + query);
        return Optional.of(location).filter(text -> text.length() <= MAX_LENGTH);
    }

    /** @param key the row's primary key as a JSON object */
    static String ofRow(String table, String key) {
        try {
            var query = new StringJoiner("&");
            for (Map.Entry<String, JsonNode> part : JSON.readTree(key).properties()) {
                JsonNode value = part.getValue();
                query.add(
                        encoded(part.getKey()) + "=" + (value.isNull() ? "is.null" : "eq." + encoded(value.asText())));
            }
            return "/" + encoded(table) + "?" + query;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while reading a key that PostgreSQL wrote", e);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
    }
}
