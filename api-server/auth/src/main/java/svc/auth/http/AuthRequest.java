package svc.auth.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.net.SocketAddress;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import svc.platform.clientip.CallerAddress;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.json.ForeignJson;
import svc.platform.tenancy.Tenant;

/** A request before it is parsed: each use case reads it once, into a record of its own. Confined to one thread. */
public final class AuthRequest {
    /** GoTrue's own limit. */
    private static final int MAX_BYTES = 1024 * 1024;

    // A number beyond a double keeps its digits; PostgreSQL accepts or refuses it.
    private static final ObjectMapper JSON = new ObjectMapper(ForeignJson.factory(
                    StreamReadConstraints.builder().maxNestingDepth(100).build()))
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private final DataPlaneRequest request;
    private final CallerAddress addresses;
    private Map<String, List<String>> query;
    private ObjectNode body;
    private List<String> parameters = List.of();

    /** @param addresses knows our own proxies */
    public AuthRequest(DataPlaneRequest request, CallerAddress addresses) {
        this.request = request;
        this.addresses = addresses;
    }

    /** @param values of the path's parameters */
    void bind(List<String> values) {
        parameters = values;
    }

    public String method() {
        return request.method().name();
    }

    /** The path after {@code /auth/v1}; begins with a slash. */
    public String path() {
        return request.path();
    }

    /**
     * A parameter of the path that is an id.
     *
     * @param index from 0, in the order of the route's pattern
     * @param name for the message
     * @throws AuthError when it is no UUID
     */
    public UUID pathId(int index, String name) {
        return uuid(parameters.get(index))
                .orElseThrow(() -> AuthErrorCode.INVALID_ID_IN_PATH.error(name + " must be an UUID"));
    }

    /** As in the answer's header. */
    String requestId() {
        return request.requestId();
    }

    public Tenant tenant() {
        return request.tenant();
    }

    /** The part that every use case needs. */
    public CallContext context() {
        Optional<String> peer = Optional.ofNullable(request.peer()).map(SocketAddress::hostAddress);
        return new CallContext(
                request.tenant(),
                request.caller(),
                addresses.of(peer, request.headers().getAll("X-Forwarded-For")).orElse("unknown"),
                Optional.ofNullable(header("User-Agent")),
                Optional.ofNullable(header("Accept-Language")).orElse(""));
    }

    public String header(String name) {
        return request.headers().get(name);
    }

    /**
     * Empty when it is absent or empty.
     *
     * @throws AuthError for a query that cannot be decoded, or a NUL character, which PostgreSQL cannot store
     */
    public Optional<String> parameter(String name) {
        Optional<String> value = Optional.ofNullable(query().get(name)).map(List::getFirst);
        if (value.filter(text -> text.indexOf(0) >= 0).isPresent()) {
            throw AuthError.invalid(name + " holds a NUL character");
        }
        return value.filter(text -> !text.isEmpty());
    }

    /**
     * The whole query, with the first value of each name.
     *
     * @throws AuthError for a query that cannot be decoded
     */
    public Map<String, String> parameters() {
        Map<String, String> all = new LinkedHashMap<>();
        query().forEach((name, values) -> all.put(name, values.getFirst()));
        return all;
    }

    /**
     * The body as a form, with the first value of each name.
     *
     * @throws AuthError for a body that cannot be decoded
     */
    public Map<String, String> form() {
        Map<String, String> all = new LinkedHashMap<>();
        try {
            new QueryStringDecoder(text(), StandardCharsets.UTF_8, false)
                    .parameters()
                    .forEach((name, values) -> all.put(name, values.getFirst()));
        } catch (IllegalArgumentException e) {
            throw AuthError.invalid("The form cannot be read: " + e.getMessage());
        }
        return all;
    }

    private String text() {
        return request.body().toString(StandardCharsets.UTF_8);
    }

    /** @throws AuthError for a body of more than a megabyte, whether the route reads it or not */
    public void requireSmallBody() {
        if (request.body().length() > MAX_BYTES) {
            throw AuthErrorCode.BODY_TOO_LARGE.error("The body is larger than " + MAX_BYTES + " bytes");
        }
    }

    private Map<String, List<String>> query() {
        if (query == null) {
            try {
                query = new QueryStringDecoder(request.query(), StandardCharsets.UTF_8, false).parameters();
            } catch (IllegalArgumentException e) {
                throw AuthError.invalid("The query cannot be read: " + e.getMessage());
            }
        }
        return query;
    }

    /**
     * The body, which is a JSON object; an empty one where there is none.
     *
     * @throws AuthError for anything else
     */
    public ObjectNode body() {
        if (body == null) {
            body = read();
        }
        return body;
    }

    private ObjectNode read() {
        byte[] bytes = request.body().getBytes();
        if (bytes.length == 0) {
            return JSON.createObjectNode();
        }
        try {
            JsonNode read = JSON.readTree(ForeignJson.text(bytes));
            if (read instanceof ObjectNode object) {
                return object;
            }
            throw AuthError.json("Could not parse request body as JSON: it is not an object");
        } catch (JsonProcessingException e) {
            throw AuthError.json("Could not parse request body as JSON: " + e.getOriginalMessage());
        } catch (CharacterCodingException e) {
            throw AuthError.json("Could not parse request body as JSON: it is not valid UTF-8");
        }
    }

    /**
     * A member that is text; empty when it is absent, null or empty.
     *
     * @throws AuthError when it is something else, or has a NUL character, which PostgreSQL cannot store
     */
    public Optional<String> text(String name) {
        JsonNode value = body().path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            throw AuthError.json("Could not parse request body as JSON: " + name + " is not a string");
        }
        if (value.textValue().indexOf(0) >= 0) {
            throw AuthError.invalid(name + " holds a NUL character");
        }
        return Optional.of(value.textValue()).filter(text -> !text.isEmpty());
    }

    /** A member that is true or false; empty when it is absent or null. */
    public Optional<Boolean> flag(String name) {
        JsonNode value = body().path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isBoolean()) {
            throw AuthError.json("Could not parse request body as JSON: " + name + " is not a boolean");
        }
        return Optional.of(value.booleanValue());
    }

    /**
     * A member that is an object; empty when it is absent or null.
     *
     * @throws AuthError when it is something else, or has a NUL character
     */
    public Optional<ObjectNode> object(String name) {
        JsonNode value = body().path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!(value instanceof ObjectNode object)) {
            throw AuthError.json("Could not parse request body as JSON: " + name + " is not an object");
        }
        if (object.toString().contains("\\u0000")) {
            throw AuthError.invalid(name + " holds a NUL character");
        }
        return Optional.of(object);
    }

    /** A UUID in a path or a claim; empty for anything else. */
    public static Optional<UUID> uuid(String text) {
        try {
            UUID id = UUID.fromString(text);
            return id.toString().equalsIgnoreCase(text) ? Optional.of(id) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
