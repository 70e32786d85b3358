package svc.management.query.result;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A byte buffer with a limit; an incomplete write can be rolled back to the last mark. */
final class BoundedBytes extends OutputStream {
    private final Taken bytes = new Taken();
    private final long limit;

    BoundedBytes(long limit) {
        this.limit = limit;
    }

    /** The limit is reached; the last write is incomplete. */
    static final class FullException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    private static final class Taken extends ByteArrayOutputStream {
        void shorten(int length) {
            count = length;
        }
    }

    @Override
    public void write(int b) throws IOException {
        room(1);
        bytes.write(b);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        room(length);
        bytes.write(source, offset, length);
    }

    private void room(int more) throws FullException {
        if (bytes.size() + (long) more > limit) {
            throw new FullException();
        }
    }

    int size() {
        return bytes.size();
    }

    /** Truncates to a length. */
    void shorten(int length) {
        bytes.shorten(length);
    }

    /** Appends regardless of the limit: the few characters that close open brackets. */
    void close(String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            bytes.write(ascii.charAt(i));
        }
    }

    byte[] content() {
        return bytes.toByteArray();
    }
}
