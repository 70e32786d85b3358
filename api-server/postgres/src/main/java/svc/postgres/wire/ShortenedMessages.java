package svc.postgres.wire;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * What a server of PostgreSQL sends, with the data of a copy cut to a length: the driver takes a message into memory whole,
 * and a row of the log may have a gigabyte. All other messages pass as they are; so does everything once TLS has begun.
 */
final class ShortenedMessages extends FilterInputStream {
    private static final int HEADER = 5;
    private static final byte COPY_DATA = 'd';
    private static final byte NO_TLS = 'N';
    private static final byte TLS = 'S';

    private final int longest;

    /** The header of a message as the driver gets it, then its body. */
    private final ByteBuffer header = ByteBuffer.allocate(HEADER).limit(0);

    /** The same as the server sends it, as far as it is there. */
    private final ByteBuffer arriving = ByteBuffer.allocate(HEADER);

    private final byte[] scratch = new byte[8192];
    private int body;
    private long dropped;
    private boolean begun;
    private boolean opaque;

    /** @param longest of the data of a copy, in bytes */
    ShortenedMessages(InputStream in, int longest) {
        super(in);
        this.longest = longest;
    }

    /** What comes after the answer to the question for TLS: messages alone. */
    static ShortenedMessages withoutQuestion(InputStream in, int longest) {
        var messages = new ShortenedMessages(in, longest);
        messages.begun = true;
        return messages;
    }

    @Override
    public int read() throws IOException {
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!begun) {
            if (!begin(into, offset)) {
                return -1;
            }
            if (!begun) {
                begun = true;
                return 1;
            }
        }
        if (opaque) {
            return in.read(into, offset, length);
        }
        if (!header.hasRemaining() && body == 0 && !next()) {
            return -1;
        }
        if (header.hasRemaining()) {
            int part = Math.min(length, header.remaining());
            header.get(into, offset, part);
            return part;
        }
        int read = in.read(into, offset, Math.min(length, body));
        body -= Math.max(0, read);
        return read;
    }

    /** The answer to the question for TLS is one byte; without that question the first byte begins a message. */
    private boolean begin(byte[] into, int offset) throws IOException {
        int first = in.read();
        if (first < 0) {
            return false;
        }
        if (first == TLS || first == NO_TLS) {
            opaque = first == TLS;
            into[offset] = (byte) first;
            return true;
        }
        begun = true;
        arriving.put((byte) first);
        return true;
    }

    /**
     * Reads the header of the next message. The socket may time out at any byte, and the driver then comes again: nothing
     * that was read is lost.
     */
    private boolean next() throws IOException {
        while (dropped > 0) {
            // Not by skip(), which forgets what it has skipped when it fails.
            int read = in.read(scratch, 0, (int) Math.min(scratch.length, dropped));
            if (read < 0) {
                return false;
            }
            dropped -= read;
        }
        while (arriving.hasRemaining()) {
            int read = in.read(arriving.array(), arriving.position(), arriving.remaining());
            if (read < 0) {
                return false;
            }
            arriving.position(arriving.position() + read);
        }
        arriving.flip();
        byte kind = arriving.get();
        int whole = arriving.getInt() - Integer.BYTES;
        arriving.clear();
        if (whole < 0) {
            throw new IOException("a message of " + whole + " bytes");
        }
        body = kind == COPY_DATA ? Math.min(whole, longest) : whole;
        dropped = whole - body;
        header.clear().put(kind).putInt(body + Integer.BYTES).flip();
        return true;
    }

    /** What the socket has may all be the rest of a message that was cut. */
    @Override
    public int available() throws IOException {
        if (!begun || opaque) {
            return in.available();
        }
        int arrived = in.available();
        if (header.hasRemaining() || body > 0) {
            return header.remaining() + Math.min(body, arrived);
        }
        // Of the next message: its header is not read before it is wanted.
        return arrived > dropped ? 1 : 0;
    }
}
