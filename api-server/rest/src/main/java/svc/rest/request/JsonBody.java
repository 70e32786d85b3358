package svc.rest.request;

import java.util.Set;
import svc.rest.error.RestError;

/**
 * What is known of a JSON body after one pass over its tokens. No tree is built, and of all objects but the first nothing
 * is kept: a tree takes up to fifty times the memory of the text.
 *
 * @param text the body's value, without the white space around it
 * @param size number of objects; 0 for a value or a list of something else
 */
record JsonBody(String text, Shape shape, int size, First first, Keys keys) {
    /** What a body consists of. */
    enum Shape {
        OBJECT,
        /** An array of objects, or an empty one. */
        OBJECTS,
        /** An array with an element that is not an object. */
        LIST,
        SCALAR
    }

    /** How the keys of the objects compare. */
    enum Keys {
        /** All objects have the keys of the first. */
        SAME,
        DIFFERENT,
        /** The first object has more than {@link #MAX_KEYS}; these are not kept, because they can be as large as the body. */
        TOO_MANY
    }

    /** A table has no more columns, and a function no more parameters. */
    static final int MAX_KEYS = 1_600;

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    /**
     * The first object.
     *
     * @param json empty if there is none
     * @param keys in order
     */
    record First(String json, Set<String> keys) {
        static final First NONE = new First("", Set.of());
    }

    /** @throws RestError PGRST102 for invalid JSON */
    static JsonBody of(String body) {
        boolean marked = !body.isEmpty() && body.charAt(0) == BYTE_ORDER_MARK;
        return new JsonBodyReader(marked ? body.substring(1) : body).read();
    }
}
