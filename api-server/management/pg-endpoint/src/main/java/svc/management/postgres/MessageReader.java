package svc.management.postgres;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Cuts what a client sends into messages; takes no memory for one that is larger than its kind may be. */
final class MessageReader {
    /** Before a client has signed in. */
    static final int MAX_STARTUP = 10_000;

    private static final int LENGTH = 4;
    private static final int MAX_STATEMENT = 512 << 10;
    private static final int MAX_VALUES = 2 << 20;
    private static final char COPY_DATA = 'd';
    private static final int MAX_COPY_END = 64 << 10;
    private static final int MAX_SMALL = 8 << 10;
    private static final int PIECE = 8 << 10;
    private static final int COPY_PIECE = 16 << 10;

    private final DataInputStream in;

    /** Of a message with rows of a COPY, which is passed on in pieces: where it is cut means nothing. */
    private int copyLeft;

    MessageReader(InputStream in) {
        this.in = new DataInputStream(in);
    }

    /** Asked before the content of a message, or a piece of it, is read. */
    @FunctionalInterface
    interface Admission {
        /** @param type of the message */
        void admit(char type, int bytes) throws ProtocolException, InterruptedException;
    }

    /** The first message, which has no type: everything behind its length. */
    byte[] startup() throws IOException, ProtocolException {
        int length = in.readInt();
        if (length < 2 * LENGTH || length > MAX_STARTUP) {
            throw ProtocolException.violation("this is not PostgreSQL's protocol");
        }
        return content(length - LENGTH);
    }

    ClientMessage next(Admission admission) throws IOException, ProtocolException, InterruptedException {
        if (copyLeft > 0) {
            return copyPiece(admission);
        }
        char type = (char) in.readUnsignedByte();
        int length = in.readInt() - LENGTH;
        if (length < 0) {
            throw ProtocolException.violation("a message has no length");
        }
        if (type == COPY_DATA) {
            copyLeft = length;
            return copyPiece(admission);
        }
        int most = most(type);
        if (length > most) {
            throw new ProtocolException(
                    "54000", "a message of the type " + type + " has " + length + " bytes; it may have " + most);
        }
        admission.admit(type, length);
        return new ClientMessage(type, content(length));
    }

    private ClientMessage copyPiece(Admission admission) throws IOException, ProtocolException, InterruptedException {
        int length = Math.min(copyLeft, COPY_PIECE);
        admission.admit(COPY_DATA, length);
        copyLeft -= length;
        return new ClientMessage(COPY_DATA, content(length));
    }

    private static int most(char type) throws ProtocolException {
        return switch (type) {
            case 'Q', 'P' -> MAX_STATEMENT;
            case 'B' -> MAX_VALUES;
            case 'c', 'f' -> MAX_COPY_END;
            case 'D', 'E', 'C', 'p', 'F', 'S', 'H', 'X' -> MAX_SMALL;
            default -> throw ProtocolException.violation("a message has an unknown type");
        };
    }

    /** In pieces: the length is the client's word. */
    private byte[] content(int length) throws IOException {
        byte[] content = new byte[Math.min(length, PIECE)];
        int at = 0;
        while (at < length) {
            if (at == content.length) {
                content = Arrays.copyOf(content, Math.min(length, content.length * 2));
            }
            int read = in.read(content, at, content.length - at);
            if (read < 0) {
                throw new EOFException("the client closed the connection");
            }
            at += read;
        }
        return content;
    }
}
