package svc.graphql.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.re2j.Pattern;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import svc.graphql.error.GraphqlError;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.json.ForeignJson;

/** Reads requests as "GraphQL over HTTP" has them: POST with a JSON body, or GET with parameters. */
public final class GraphqlRequestReader {
    private static final ObjectMapper JSON =
            ForeignJson.mapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private static final String GRAPHQL = "application/graphql";
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private final PersistedQueries persisted;

    public GraphqlRequestReader(PersistedQueries persisted) {
        this.persisted = persisted;
    }

    /**
     * Reads a request.
     *
     * @throws InvalidRequest for what is no GraphQL request
     * @throws GraphqlError for a hash whose document is not known
     */
    public GraphqlRequest read(DataPlaneRequest request) {
        if (!request.path().equals("/")) {
            throw new InvalidRequest(404, "The GraphQL endpoint is /graphql/v1, without a further path");
        }
        if (request.method().equals(HttpMethod.GET)) {
            return ofParameters(request.tenant().ref(), request.query());
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
        return ofBody(request.tenant().ref(), json(text, "The body"));
    }

    private static String text(byte[] body) {
        try {
            return ForeignJson.text(body);
        } catch (CharacterCodingException e) {
            throw new InvalidRequest(400, "The body is not valid UTF-8");
        }
    }

    private static JsonNode json(String text, String what) {
        JsonNode read;
        try {
            read = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new InvalidRequest(400, what + " is not valid JSON");
        }
        if (read == null) {
            return JSON.missingNode();
        }
        // Hazard: an escape can name half of a surrogate pair. PostgreSQL would get a question mark in its place.
        if (text.contains("\\u") && !StandardCharsets.UTF_8.newEncoder().canEncode(read.toString())) {
            throw new InvalidRequest(400, what + " has half of a surrogate pair, which is no Unicode character");
        }
        return read;
    }

    /** The document: as it is sent, or by its hash. */
    private String document(String ref, Optional<String> sent, JsonNode extensions) {
        JsonNode named = extensions.path("persistedQuery");
        if (!named.isObject()) {
            return sent.orElseThrow(() -> new InvalidRequest(400, "The request has no query"));
        }
        String hash = named.path("sha256Hash").asText();
        if (!SHA256.matcher(hash).matches()) {
            throw new InvalidRequest(400, "sha256Hash of a persisted query has 64 hexadecimal digits in lower case");
        }
        if (sent.isEmpty()) {
            return persisted.find(ref, hash).orElseThrow(() -> new GraphqlError("PersistedQueryNotFound"));
        }
        if (!persisted.keep(ref, hash, sent.get())) {
            throw new InvalidRequest(400, "sha256Hash is not the hash of the query");
        }
        return sent.get();
    }

    private GraphqlRequest ofBody(String ref, JsonNode body) {
        if (body.isArray()) {
            throw new InvalidRequest(400, "Batches are not supported: send one operation a request");
        }
        if (!body.isObject()) {
            throw new InvalidRequest(400, "The body must be a JSON object with the key query");
        }
        JsonNode query = body.path("query");
        if (!query.isTextual() && !query.isMissingNode() && !query.isNull()) {
            throw new InvalidRequest(400, "The request has no query");
        }
        JsonNode name = body.path("operationName");
        if (!name.isMissingNode() && !name.isNull() && !name.isTextual()) {
            throw new InvalidRequest(400, "operationName must be a string");
        }
        return new GraphqlRequest(
                document(ref, Optional.ofNullable(query.textValue()), body.path("extensions")),
                Optional.ofNullable(name.textValue()).filter(text -> !text.isEmpty()),
                variables(body.path("variables")),
                false);
    }

    private GraphqlRequest ofParameters(String ref, String query) {
        Map<String, List<String>> parameters;
        try {
            parameters = new QueryStringDecoder(query, false).parameters();
        } catch (IllegalArgumentException e) {
            throw new InvalidRequest(400, "The query string is not valid");
        }
        JsonNode extensions = parameter(parameters, "extensions")
                .map(text -> json(text, "The parameter extensions"))
                .orElseGet(JSON::missingNode);
        String document = document(ref, parameter(parameters, "query"), extensions);
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
