package svc.storage.body;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import svc.storage.http.StorageError;

/** A body that is refused at the byte which exceeds a limit. */
final class LimitedBody extends FilterInputStream {
    private long left;

    /** @param limit in bytes */
    LimitedBody(InputStream body, long limit) {
        super(body);
        this.left = limit;
    }

    @Override
    public int read() throws IOException {
        int one = in.read();
        if (one >= 0) {
            counted(1);
        }
        return one;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return counted(in.read(target, offset, length));
    }

    @Override
    public long skip(long count) throws IOException {
        return counted((int) in.skip(Math.min(count, Integer.MAX_VALUE)));
    }

    private int counted(int count) {
        left -= Math.max(0, count);
        if (left < 0) {
            throw StorageError.tooLarge();
        }
        return count;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
