package svc.management.query.result;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Bytes up to a limit; what does not fit can be taken back to where something last was whole. */
final class BoundedBytes extends OutputStream {
    private final Taken bytes = new Taken();
    private final long limit;

    BoundedBytes(long limit) {
        this.limit = limit;
    }

    /** The limit is reached; what was written last is not whole. */
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

    /** Takes back everything behind a length. */
    void shorten(int length) {
        bytes.shorten(length);
    }

    /** Appends whatever the limit says: the few characters that close what is open. */
    void close(String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            bytes.write(ascii.charAt(i));
        }
    }

    byte[] content() {
        return bytes.toByteArray();
    }
}
