package svc.management.postgres.value;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Values of some built-in types between PostgreSQL's text format and its binary one, both ways. What clients send and ask for
 * by default is here; anything else travels as text.
 */
public final class BinaryValues {
    private static final byte JSONB_VERSION = 1;

    /** NAMEDATALEN of PostgreSQL, without the zero at its end. */
    private static final int MAX_NAME = 63;

    private static final String HEX = "\\x";

    private BinaryValues() {}

    /**
     * A value in the binary format.
     *
     * @param text in the server's text format
     * @return empty for a type, or for a text, that has no binary format here
     */
    public static Optional<byte[]> encode(int oid, byte[] text) {
        try {
            Optional<WireType> elements = WireType.ofElements(oid);
            if (elements.isPresent()) {
                return Optional.of(BinaryArrays.encode(elements.get(), utf8(text)));
            }
            return WireType.of(oid).map(type -> encode(type, text));
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException | IndexOutOfBoundsException e) {
            // A script can change how its session writes values.
            return Optional.empty();
        }
    }

    static byte[] encode(WireType type, byte[] text) {
        return switch (type) {
            case TEXT, VARCHAR, BPCHAR, NAME, JSON, UNKNOWN -> text;
            case JSONB ->
                ByteBuffer.allocate(1 + text.length)
                        .put(JSONB_VERSION)
                        .put(text)
                        .array();
            default -> encode(type, utf8(text));
        };
    }

    private static byte[] encode(WireType type, String text) {
        return switch (type) {
            case BOOL -> new byte[] {(byte) (text.equals("t") ? 1 : 0)};
            case INT2 -> ByteBuffer.allocate(2).putShort(Short.parseShort(text)).array();
            case INT4 -> int4(Integer.parseInt(text));
            case OID -> int4(Integer.parseUnsignedInt(text));
            case INT8 -> int8(Long.parseLong(text));
            case FLOAT4 -> int4(Float.floatToIntBits(Float.parseFloat(text)));
            case FLOAT8 -> int8(Double.doubleToLongBits(Double.parseDouble(text)));
            case NUMERIC -> BinaryNumeric.encode(text);
            case DATE -> int4(BinaryTimes.days(text));
            case TIME -> int8(BinaryTimes.microsOfDay(text));
            case TIMESTAMP, TIMESTAMPTZ -> int8(BinaryTimes.micros(text));
            case UUID -> {
                java.util.UUID uuid = java.util.UUID.fromString(text);
                yield ByteBuffer.allocate(16)
                        .putLong(uuid.getMostSignificantBits())
                        .putLong(uuid.getLeastSignificantBits())
                        .array();
            }
            case BYTEA -> {
                if (!text.startsWith(HEX)) {
                    throw new IllegalArgumentException("bytea_output was changed");
                }
                yield HexFormat.of().parseHex(text.substring(HEX.length()));
            }
            case TEXT, VARCHAR, BPCHAR, NAME, JSON, UNKNOWN, JSONB ->
                throw new IllegalStateException(type + " is the same in both formats");
        };
    }

    private static byte[] int4(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    private static byte[] int8(long value) {
        return ByteBuffer.allocate(8).putLong(value).array();
    }

    /**
     * A value in the server's input form.
     *
     * @param type as {@code format_type} writes it
     * @return empty for a type, or for a value, that is not read in this format here
     * @throws InvalidValueException for bytes that are no value of the type
     */
    public static Optional<String> decode(String type, byte[] value) {
        try {
            return type.endsWith("[]")
                    ? WireType.named(type.substring(0, type.length() - 2))
                            .map(elements -> BinaryArrays.decode(elements, value))
                    : WireType.named(type).map(known -> decode(known, value));
        } catch (InvalidValueException e) {
            throw e;
        } catch (BufferUnderflowException e) {
            throw InvalidValueException.format("insufficient data left in message");
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            return Optional.empty();
        }
    }

    static String decode(WireType type, byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        String text = switch (type) {
            case TEXT, VARCHAR, BPCHAR, JSON, UNKNOWN -> rest(in);
            case NAME -> {
                if (in.remaining() > MAX_NAME) {
                    throw InvalidValueException.longName();
                }
                yield rest(in);
            }
            case JSONB -> {
                int version = in.get();
                if (version != JSONB_VERSION) {
                    throw InvalidValueException.format("unsupported jsonb version number " + version);
                }
                yield rest(in);
            }
            case BOOL -> in.get() == 0 ? "f" : "t";
            case INT2 -> Short.toString(in.getShort());
            case INT4 -> Integer.toString(in.getInt());
            case OID -> Integer.toUnsignedString(in.getInt());
            case INT8 -> Long.toString(in.getLong());
            case FLOAT4 -> Float.toString(in.getFloat());
            case FLOAT8 -> Double.toString(in.getDouble());
            case DATE -> BinaryTimes.date(in.getInt());
            case TIME -> BinaryTimes.time(in.getLong());
            case TIMESTAMP -> BinaryTimes.timestamp(in.getLong(), "");
            case TIMESTAMPTZ -> BinaryTimes.timestamp(in.getLong(), "+00");
            case UUID -> new java.util.UUID(in.getLong(), in.getLong()).toString();
            case NUMERIC -> {
                in.position(in.limit());
                yield BinaryNumeric.decode(value);
            }
            case BYTEA -> {
                in.position(in.limit());
                yield HEX + HexFormat.of().formatHex(value);
            }
        };
        if (in.hasRemaining()) {
            throw InvalidValueException.format("incorrect binary data format");
        }
        return text;
    }

    private static String rest(ByteBuffer in) {
        byte[] bytes = new byte[in.remaining()];
        in.get(bytes);
        return text(bytes);
    }

    /**
     * A text of a client.
     *
     * @throws InvalidValueException for one that PostgreSQL cannot store
     */
    static String text(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.indexOf('\0') < 0) {
                return text;
            }
        } catch (CharacterCodingException e) {
            // A replacement would be another value than the client's.
        }
        throw InvalidValueException.text();
    }

    static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
