package svc.storage.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the fields of a JSON body; a missing or mistyped one is refused in the words of storage-api's validator. */
public record BodyFields(ObjectNode body) {
    public static BodyFields of(StorageCall call) {
        if (!(call.body() instanceof ObjectNode object)) {
            throw StorageError.invalidRequest("body must be object");
        }
        return new BodyFields(object);
    }

    public boolean has(String name) {
        return body.has(name);
    }

    public String required(String name) {
        return text(name)
                .orElseThrow(() -> StorageError.invalidRequest("body must have required property '" + name + "'"));
    }

    public Optional<String> text(String name) {
        JsonNode value = body.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            throw StorageError.invalidRequest("body/" + name + " must be string");
        }
        return Optional.of(value.textValue());
    }

    public Optional<Boolean> flag(String name) {
        JsonNode value = body.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isBoolean()) {
            throw StorageError.invalidRequest("body/" + name + " must be boolean");
        }
        return Optional.of(value.booleanValue());
    }

    /** A whole number within bounds; 400 outside of them. */
    public OptionalLong number(String name, long least, long most) {
        JsonNode value = body.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return OptionalLong.empty();
        }
        if (!value.isIntegralNumber()) {
            throw StorageError.invalidRequest("body/" + name + " must be integer");
        }
        if (!value.canConvertToLong() || value.longValue() < least) {
            throw StorageError.invalidRequest("body/" + name + " must be >= " + least);
        }
        if (value.longValue() > most) {
            throw StorageError.invalidRequest("body/" + name + " must be <= " + most);
        }
        return OptionalLong.of(value.longValue());
    }

    /** An array of 1 to {@code most} texts. */
    public List<String> texts(String name, int most) {
        JsonNode value = body.path(name);
        if (value.isMissingNode()) {
            throw StorageError.invalidRequest("body must have required property '" + name + "'");
        }
        if (!value.isArray()) {
            throw StorageError.invalidRequest("body/" + name + " must be array");
        }
        if (value.isEmpty()) {
            throw StorageError.invalidRequest("body/" + name + " must NOT have fewer than 1 items");
        }
        if (value.size() > most) {
            throw StorageError.invalidRequest("body/" + name + " must NOT have more than " + most + " items");
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode one : value) {
            if (!one.isTextual()) {
                throw StorageError.invalidRequest("body/" + name + "/" + texts.size() + " must be string");
            }
            texts.add(one.textValue());
        }
        return texts;
    }
}
