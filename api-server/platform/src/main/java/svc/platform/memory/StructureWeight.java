package svc.platform.memory;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;

/**
 * Estimates the heap that a text takes once it is parsed. A tree of small values takes 10 to 50 times its text, so bytes
 * alone say little. Objects, arrays, keys and values are counted by the characters of JSON (RFC 8259) that separate
 * them; CSV and forms separate theirs by one of these, too. Nothing is decoded or kept, so that the count itself costs
 * a pass over the bytes, whatever they are. Text within quotes counts as bytes only.
 *
 * <p>For one text, in pieces. Not thread-safe.
 */
public final class StructureWeight {
    /** The received bytes, their copy for the parser, and the text for the database. */
    private static final int COPIES = 3;

    /** A reference and its object: measured with Jackson's trees and Java's collections on a 64-bit JVM. */
    private static final int VALUE = 48;

    /** An entry of a map, and a key of its own. */
    private static final int KEY = 72;

    /** An object or an array with its table. */
    private static final int CONTAINER = 120;

    private final ByteProcessor scanner = this::scan;
    private boolean inText;
    private boolean escaped;
    private long structure;

    /** The bytes of heap that the next piece of the text adds. */
    public long of(ByteBuf piece) {
        structure = 0;
        piece.forEachByte(scanner);
        return structure + ofBytes(piece.readableBytes());
    }

    /** The same for bytes without structure. */
    public static long ofBytes(long length) {
        return COPIES * length;
    }

    private boolean scan(byte value) {
        if (inText) {
            if (escaped) {
                escaped = false;
            } else if (value == '\\') {
                escaped = true;
            } else if (value == '"') {
                inText = false;
            }
            return true;
        }
        switch (value) {
            case '"' -> inText = true;
            case ',', '&', '\n' -> structure += VALUE;
            case ':', '=' -> structure += KEY;
            case '{', '[' -> structure += CONTAINER;
            default -> {}
        }
        return true;
    }
}
