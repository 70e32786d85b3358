package svc.rest.openapi;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.node.POJONode;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * A part of a document that exists only while it is written. A project chooses how many tables and columns it has, and the
 * trees of all of them together take several times the heap of the document.
 */
final class DeferredNode extends JsonSerializable.Base {
    private final Supplier<? extends JsonNode> part;

    private DeferredNode(Supplier<? extends JsonNode> part) {
        this.part = part;
    }

    static POJONode of(Supplier<? extends JsonNode> part) {
        return new POJONode(new DeferredNode(part));
    }

    @Override
    public void serialize(JsonGenerator json, SerializerProvider serializers) throws IOException {
        part.get().serialize(json, serializers);
    }

    @Override
    public void serializeWithType(JsonGenerator json, SerializerProvider serializers, TypeSerializer type)
            throws IOException {
        serialize(json, serializers);
    }
}
