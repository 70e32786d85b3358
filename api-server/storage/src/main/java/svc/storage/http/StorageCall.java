package svc.storage.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import svc.database.name.DatabaseRole;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.json.ForeignJson;
import svc.platform.tenancy.Tenant;

/**
 * One request, as the endpoints see it.
 *
 * @param operation what {@code storage.operation()} gives
 * @param bucket of the path, decoded; empty without one
 * @param object the rest of the path, decoded; empty without one
 * @param body what a JSON body says; missing for others
 */
public record StorageCall(DataPlaneExchange exchange, String operation, String bucket, String object, JsonNode body) {
    private static final ObjectMapper JSON = ForeignJson.mapper();

    /** Of metadata of users. Rows with deeper ones could not be written into an answer. */
    private static final int MAX_DEPTH = 100;

    private static final ObjectMapper METADATA = new ObjectMapper(ForeignJson.factory(
            StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build()));
    private static final int MAX_PARAMETERS = 64;

    public Tenant tenant() {
        return exchange.tenant();
    }

    public Caller caller() {
        return exchange.caller();
    }

    public HttpServerRequest request() {
        return exchange.request();
    }

    public HttpServerResponse response() {
        return exchange.request().response();
    }

    public boolean isService() {
        return caller().login() == DatabaseRole.SERVICE && caller().role() == DatabaseRole.SERVICE;
    }

    /** The same with what its body says. */
    public StorageCall withBody(Buffer bytes) {
        if (bytes.length() == 0) {
            return this;
        }
        try {
            return new StorageCall(
                    exchange, operation, bucket, object, JSON.readTree(ForeignJson.text(bytes.getBytes())));
        } catch (JsonProcessingException | CharacterCodingException e) {
            throw StorageError.invalidRequest("Body is not valid JSON");
        }
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(request().getHeader(name));
    }

    /** The first value of a query parameter. */
    public Optional<String> query(String name) {
        if (exchange.query().isEmpty()) {
            return Optional.empty();
        }
        try {
            Map<String, List<String>> all = new QueryStringDecoder(
                            exchange.query(), StandardCharsets.UTF_8, false, MAX_PARAMETERS)
                    .parameters();
            return Optional.ofNullable(all.get(name)).map(List::getFirst);
        } catch (IllegalArgumentException e) {
            throw StorageError.invalidRequest("The query string cannot be decoded");
        }
    }

    /** Whether an existing object may be replaced. */
    public boolean upsert() {
        return header("x-upsert").filter("true"::equalsIgnoreCase).isPresent();
    }

    /** The user of the token, as text; empty for a key. */
    public Optional<String> user() {
        return claims().path("sub").isTextual()
                ? Optional.of(claims().path("sub").textValue())
                : Optional.empty();
    }

    /** The user's id where it is a UUID, as Supabase's deprecated columns want it. */
    public static Optional<UUID> uuid(String user) {
        try {
            return Optional.of(UUID.fromString(user)).filter(id -> id.toString().equalsIgnoreCase(user));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private JsonNode claims() {
        try {
            return JSON.readTree(caller().claims());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while reading verified claims", e);
        }
    }

    public static ObjectNode newObject() {
        return JSON.createObjectNode();
    }

    public static JsonNode nothing() {
        return MissingNode.getInstance();
    }

    /** @throws StorageError for what SQL of a tenant has nested deeper than answers may be */
    public static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (StreamConstraintsException e) {
            throw StorageError.rowsTooLarge();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("PostgreSQL wrote JSON that cannot be read", e);
        }
    }

    /**
     * What a header or a form field says; empty for text that is not a JSON object, which is ignored as upstream.
     *
     * @throws StorageError for an object that could be stored, but not be read again
     */
    public static Optional<ObjectNode> readObject(String json) {
        try {
            if (METADATA.readTree(json) instanceof ObjectNode object) {
                requireFinite(object);
                return Optional.of(object);
            }
            return Optional.empty();
        } catch (StreamConstraintsException e) {
            throw unreadable();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static void requireFinite(JsonNode node) {
        if (node.isDouble() && !Double.isFinite(node.doubleValue())) {
            throw unreadable();
        }
        node.forEach(StorageCall::requireFinite);
    }

    private static StorageError unreadable() {
        return StorageError.invalidRequest("Metadata may be nested " + MAX_DEPTH
                + " levels deep, and a number may be as large as 1.7e308 and have 1,000 digits");
    }

    /** Without claims. */
    @Override
    public String toString() {
        return "StorageCall[" + operation + "]";
    }
}
