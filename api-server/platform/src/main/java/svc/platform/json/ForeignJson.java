package svc.platform.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Makes the parsers of JSON that strangers wrote: bodies, tokens, answers of tenants' servers. Hazard: by default a parser
 * keeps the names that it has read, thousands of them and each up to 50,000 characters, in a table that all requests
 * share, and in the JVM's own table of strings. These keep none.
 *
 * <p>They are for text. Given bytes, a parser without such a table replaces what is not UTF-8 instead of refusing it: see
 * {@link #text}.
 */
public final class ForeignJson {
    private ForeignJson() {}

    /** With the library's own limits. */
    public static JsonFactory factory() {
        return factory(StreamReadConstraints.defaults());
    }

    /** A new one: mappers change the factories that they get. */
    public static JsonFactory factory(StreamReadConstraints limits) {
        return JsonFactory.builder()
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .streamReadConstraints(limits)
                .build();
    }

    /** For trees and records, with the library's own limits. */
    public static ObjectMapper mapper() {
        return new ObjectMapper(factory());
    }

    /** The characters of a body. @throws CharacterCodingException when it is not strictly UTF-8 (RFC 8259) */
    public static String text(byte[] body) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    }
}
