package svc.graphql.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.CharacterCodingException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.json.ForeignJson;

/** Reads requests as "GraphQL over HTTP" has them: POST with a JSON body, or GET with parameters. */
public final class GraphqlRequestReader {
    private static final ObjectMapper JSON =
            ForeignJson.mapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private static final String GRAPHQL = "application/graphql";

    private GraphqlRequestReader() {}

    /** @throws InvalidRequest for what is no GraphQL request */
    public static GraphqlRequest read(DataPlaneRequest request) {
        if (!request.path().equals("/")) {
            throw new InvalidRequest(404, "The GraphQL endpoint is /graphql/v1, without a further path");
        }
        if (request.method().equals(HttpMethod.GET)) {
            return ofParameters(request.query());
        }
        if (!request.method().equals(HttpMethod.POST)) {
            throw new InvalidRequest(405, "Use POST, or GET for queries");
        }
        String text = text(request.body().getBytes());
        String type = Optional.ofNullable(request.headers().get("Content-Type")).orElse("application/json");
        String media = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (media.equals(GRAPHQL)) {
            return new GraphqlRequest(text, Optional.empty(), Map.of(), false);
        }
        if (!media.equals("application/json") && !media.endsWith("+json")) {
            throw new InvalidRequest(415, "Send the operation as application/json");
        }
        return ofBody(json(text, "The body"));
    }

    private static String text(byte[] body) {
        try {
            return ForeignJson.text(body);
        } catch (CharacterCodingException e) {
            throw new InvalidRequest(400, "The body is not valid UTF-8");
        }
    }

    private static JsonNode json(String text, String what) {
        try {
            JsonNode read = JSON.readTree(text);
            return read == null ? JSON.missingNode() : read;
        } catch (JsonProcessingException e) {
            throw new InvalidRequest(400, what + " is not valid JSON");
        }
    }

    private static GraphqlRequest ofBody(JsonNode body) {
        if (body.isArray()) {
            throw new InvalidRequest(400, "Batches are not supported: send one operation a request");
        }
        if (!body.isObject()) {
            throw new InvalidRequest(400, "The body must be a JSON object with the key query");
        }
        JsonNode query = body.path("query");
        if (!query.isTextual()) {
            throw new InvalidRequest(400, "The request has no query");
        }
        JsonNode name = body.path("operationName");
        if (!name.isMissingNode() && !name.isNull() && !name.isTextual()) {
            throw new InvalidRequest(400, "operationName must be a string");
        }
        return new GraphqlRequest(
                query.textValue(),
                Optional.ofNullable(name.textValue()).filter(text -> !text.isEmpty()),
                variables(body.path("variables")),
                false);
    }

    private static GraphqlRequest ofParameters(String query) {
        Map<String, List<String>> parameters;
        try {
            parameters = new QueryStringDecoder(query, false).parameters();
        } catch (IllegalArgumentException e) {
            throw new InvalidRequest(400, "The query string is not valid");
        }
        String document =
                parameter(parameters, "query").orElseThrow(() -> new InvalidRequest(400, "The request has no query"));
        JsonNode variables = parameter(parameters, "variables")
                .map(text -> json(text, "The parameter variables"))
                .orElseGet(JSON::missingNode);
        return new GraphqlRequest(
                document,
                parameter(parameters, "operationName").filter(name -> !name.isEmpty()),
                variables(variables),
                true);
    }

    private static Optional<String> parameter(Map<String, List<String>> parameters, String name) {
        return Optional.ofNullable(parameters.get(name)).map(List::getFirst);
    }

    private static Map<String, JsonNode> variables(JsonNode given) {
        if (given.isMissingNode() || given.isNull()) {
            return Map.of();
        }
        if (!given.isObject()) {
            throw new InvalidRequest(400, "variables must be a JSON object");
        }
        Map<String, JsonNode> variables = new HashMap<>();
        given.properties().forEach(one -> variables.put(one.getKey(), one.getValue()));
        return variables;
    }
}
