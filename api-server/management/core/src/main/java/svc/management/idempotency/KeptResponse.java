package svc.management.idempotency;

import com.fasterxml.jackson.core.JsonProcessingException;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.GenericEntity;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import svc.management.json.StrictJson;
import svc.management.token.Permission;
import svc.management.token.Principal;

/**
 * The answer of a call as it is kept.
 *
 * @param permissions that the caller had; one that has fewer does not get the answer
 * @param headers those that the resource set
 * @param type media type of the body; null if there is none
 */
record KeptResponse(int status, Set<String> permissions, Map<String, String> headers, String type, byte[] body) {
    static final String REPLAYED = "Idempotency-Replayed";

    /** What belongs to one answer's way through HTTP rather than to the call. */
    private static final Set<String> OF_THE_ANSWER =
            Set.of("content-type", "content-length", "transfer-encoding", "date");

    /** Empty for an answer that is no JSON: a stream, for example. */
    static Optional<KeptResponse> of(Principal by, ContainerResponseContext response) {
        Map<String, String> headers = new LinkedHashMap<>();
        response.getStringHeaders().forEach((name, values) -> {
            if (!OF_THE_ANSWER.contains(name.toLowerCase(Locale.ROOT))) {
                headers.put(name, String.join(", ", values));
            }
        });
        return body(response.getEntity())
                .map(body ->
                        new KeptResponse(response.getStatus(), permissions(by), headers, type(response, body), body));
    }

    private static String type(ContainerResponseContext response, byte[] body) {
        if (body.length == 0 && response.getEntity() == null) {
            return null;
        }
        return response.getMediaType() == null
                ? MediaType.APPLICATION_JSON
                : response.getMediaType().toString();
    }

    private static Optional<byte[]> body(Object entity) {
        return switch (entity) {
            case null -> Optional.of(new byte[0]);
            case String text -> Optional.of(text.getBytes(StandardCharsets.UTF_8));
            case byte[] bytes -> Optional.of(bytes);
            case GenericEntity<?> typed -> body(typed.getEntity());
            default -> json(entity);
        };
    }

    private static Optional<byte[]> json(Object entity) {
        try {
            return Optional.of(StrictJson.get().writeValueAsBytes(entity));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static Set<String> permissions(Principal by) {
        return by.permissions().stream().map(Permission::wire).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether the caller still has the permissions with which it made the call. */
    boolean isFor(Principal by) {
        return permissions(by).containsAll(permissions);
    }

    Response replay() {
        Response.ResponseBuilder answer = Response.status(status).header(REPLAYED, "true");
        headers.forEach(answer::header);
        return type == null
                ? answer.build()
                : answer.type(MediaType.valueOf(type)).entity(body).build();
    }

    /** As it is sealed. */
    byte[] bytes() {
        try {
            return StrictJson.get()
                    .writeValueAsBytes(new Stored(status, List.copyOf(permissions), headers, type, body));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while writing a kept answer", e);
        }
    }

    /** Empty for bytes that another release wrote and this one cannot read. */
    static Optional<KeptResponse> of(byte[] bytes) {
        try {
            Stored stored = StrictJson.get().readValue(bytes, Stored.class);
            return Optional.of(new KeptResponse(
                    stored.status(), Set.copyOf(stored.permissions()), stored.headers(), stored.type(), stored.body()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private record Stored(
            int status, List<String> permissions, Map<String, String> headers, String type, byte[] body) {}
}
