package svc.sqlgate.parser;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The content of one frame: ends where the frame ends, and never reads into the next one. */
final class BoundedInput extends InputStream {
    private final InputStream frames;
    private int left;

    BoundedInput(InputStream frames, int length) {
        this.frames = frames;
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (left == 0) {
            return -1;
        }
        int count = frames.read(target, offset, Math.min(length, left));
        if (count < 0) {
            throw new EOFException("the parser ended inside of a frame");
        }
        left -= count;
        return count;
    }

    /** Leaves the rest of the frame unread, so that the next one can follow. */
    void skipRest() throws IOException {
        frames.skipNBytes(left);
        left = 0;
    }
}
