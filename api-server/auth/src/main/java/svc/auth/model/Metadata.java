package svc.auth.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;

/**
 * {@code user_metadata} and {@code app_metadata}: new members replace old ones, null removes one. Each access token repeats both,
 * so that callers may write no more of them than the headers of a request can carry.
 */
public final class Metadata {
    /** Of each, as JSON in UTF-8. Both in base64, and the other claims, fit into {@code SessionGrant.MAX_TOKEN_CHARACTERS}. */
    public static final int MAX_BYTES = 16 * 1024;

    private static final String EMAIL = "email";

    private Metadata() {}

    /**
     * A member of a request that becomes metadata; empty when it is absent or null.
     *
     * @throws AuthError for a member that is no object, or too large
     */
    public static Optional<ObjectNode> of(AuthRequest request, String name) {
        Optional<ObjectNode> given = request.object(name);
        given.map(Metadata::bytes).ifPresent(bytes -> requireSmall(name, bytes, 0));
        return given;
    }

    /**
     * Members that change on behalf of a caller.
     *
     * @param name for the message
     * @throws AuthError when the metadata become too large; what only grows less so, such as rows that SQL has written, may change
     */
    public static ObjectNode changed(String name, ObjectNode before, ObjectNode change) {
        ObjectNode changed = merged(before, change);
        requireSmall(name, bytes(changed), bytes(before));
        return changed;
    }

    private static void requireSmall(String name, int bytes, int before) {
        if (bytes > MAX_BYTES && bytes >= before) {
            throw AuthErrorCode.UNPROCESSABLE.error(name + " would have " + bytes + " bytes, more than the " + MAX_BYTES
                    + " that an access token can carry: store large values in a table");
        }
    }

    /** Whether an access token can carry it: SQL may have written more. */
    public static boolean fitsToken(JsonNode metadata) {
        return bytes(metadata) <= MAX_BYTES;
    }

    private static int bytes(JsonNode metadata) {
        return metadata.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    public static ObjectNode merged(ObjectNode before, ObjectNode change) {
        ObjectNode merged = before.deepCopy();
        change.properties().forEach(member -> {
            if (member.getValue().isNull()) {
                merged.remove(member.getKey());
            } else {
                merged.set(member.getKey(), member.getValue());
            }
        });
        return merged;
    }

    /**
     * {@code user_metadata} of a user who moves to another address. A sign-up copies the address into it; a member of that name with
     * another value is the application's own, and stays.
     *
     * @param from the present address
     */
    public static ObjectNode moved(ObjectNode userMetadata, Optional<String> from, String to) {
        JsonNode copy = userMetadata.path(EMAIL);
        boolean copied = copy.isTextual()
                && from.filter(copy.textValue()::equalsIgnoreCase).isPresent();
        return copied ? userMetadata.deepCopy().put(EMAIL, to) : userMetadata;
    }

    /** {@code app_metadata} with one more provider; the first one is also the member {@code provider}. */
    public static ObjectNode withProvider(ObjectNode appMetadata, String provider) {
        ObjectNode known = appMetadata.deepCopy();
        if (known.withArray("providers").add(provider).size() == 1) {
            known.put("provider", provider);
        }
        return known;
    }
}
