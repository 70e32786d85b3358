package svc.management.postgres.value;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import svc.management.query.result.ArrayText;

/** PostgreSQL's binary format of arrays. */
final class BinaryArrays {
    /** MAXDIM of PostgreSQL. */
    private static final int MAX_DIMENSIONS = 6;

    private static final int NULL = -1;

    private BinaryArrays() {}

    /** @throws IllegalArgumentException for a text that no server sends, or whose bounds do not begin at one */
    static byte[] encode(WireType type, String text) {
        if (text.startsWith("[")) {
            throw new IllegalArgumentException("an array with other bounds");
        }
        List<Object> array = ArrayText.read(text, ',');
        List<Integer> lengths = new ArrayList<>();
        Object level = array;
        while (level instanceof List<?> list && !list.isEmpty()) {
            lengths.add(list.size());
            level = list.getFirst();
        }
        var elements = new ByteArrayOutputStream();
        boolean nulls = write(type, array, elements);
        ByteBuffer head = ByteBuffer.allocate(12 + 8 * lengths.size())
                .putInt(lengths.size())
                .putInt(nulls ? 1 : 0)
                .putInt(type.oid());
        lengths.forEach(length -> head.putInt(length).putInt(1));
        var all = new ByteArrayOutputStream();
        all.writeBytes(head.array());
        all.writeBytes(elements.toByteArray());
        return all.toByteArray();
    }

    /** @return whether one of them is null */
    private static boolean write(WireType type, List<?> array, ByteArrayOutputStream out) {
        boolean nulls = false;
        for (Object element : array) {
            if (element instanceof List<?> inner) {
                nulls |= write(type, inner, out);
            } else if (element == null) {
                nulls = true;
                out.writeBytes(ByteBuffer.allocate(4).putInt(NULL).array());
            } else {
                byte[] value = BinaryValues.encode(type, element.toString().getBytes(StandardCharsets.UTF_8));
                out.writeBytes(ByteBuffer.allocate(4).putInt(value.length).array());
                out.writeBytes(value);
            }
        }
        return nulls;
    }

    /**
     * @throws InvalidValueException for bytes that are no array of this type
     * @throws IllegalArgumentException for one whose bounds do not begin at one
     */
    static String decode(WireType type, byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        int[] lengths = lengths(type, in);
        var out = new StringBuilder();
        if (lengths.length == 0) {
            out.append("{}");
        } else {
            read(type, in, lengths, 0, out);
        }
        if (in.hasRemaining()) {
            throw InvalidValueException.format("the array is longer than it says");
        }
        return out.toString();
    }

    /** The head of an array; no lengths for an empty one. */
    private static int[] lengths(WireType type, ByteBuffer in) {
        int dimensions = in.getInt();
        int flags = in.getInt();
        if (dimensions < 0) {
            throw InvalidValueException.format("invalid number of dimensions: " + dimensions);
        }
        if (dimensions > MAX_DIMENSIONS) {
            throw InvalidValueException.dimensions(dimensions, MAX_DIMENSIONS);
        }
        if (flags != 0 && flags != 1) {
            throw InvalidValueException.format("invalid array flags");
        }
        if (in.getInt() != type.oid()) {
            throw InvalidValueException.elementType();
        }
        int[] lengths = new int[dimensions];
        boolean otherBounds = false;
        for (int i = 0; i < dimensions; i++) {
            lengths[i] = in.getInt();
            otherBounds |= in.getInt() != 1;
            // With a length of none among others, few bytes would stand for any number of braces.
            if (lengths[i] < 0 || lengths[i] == 0 && dimensions > 1) {
                throw InvalidValueException.format("invalid length of an array: " + lengths[i]);
            }
        }
        if (dimensions == 1 && lengths[0] == 0) {
            return new int[0];
        }
        if (otherBounds) {
            throw new IllegalArgumentException("an array with other bounds");
        }
        return lengths;
    }

    private static void read(WireType type, ByteBuffer in, int[] lengths, int dimension, StringBuilder out) {
        out.append('{');
        for (int i = 0; i < lengths[dimension]; i++) {
            if (i > 0) {
                out.append(',');
            }
            if (dimension + 1 < lengths.length) {
                read(type, in, lengths, dimension + 1, out);
            } else {
                out.append(element(type, in));
            }
        }
        out.append('}');
    }

    private static String element(WireType type, ByteBuffer in) {
        int length = in.getInt();
        if (length == NULL) {
            return "NULL";
        }
        if (length < 0 || length > in.remaining()) {
            throw InvalidValueException.format("insufficient data left in message");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return "\"" + BinaryValues.decode(type, bytes).replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
