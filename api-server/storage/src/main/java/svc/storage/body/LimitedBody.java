package svc.storage.body;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;

/** A body that is refused at the byte which exceeds a limit. */
public final class LimitedBody extends FilterInputStream {
    private final Supplier<RuntimeException> refusal;
    private long left;

    /**
     * A body with a limit.
     *
     * @param limit in bytes
     * @param refusal of the byte beyond it
     */
    public LimitedBody(InputStream body, long limit, Supplier<RuntimeException> refusal) {
        super(body);
        this.left = limit;
        this.refusal = refusal;
    }

    /** What follows is limited by others. */
    public void lift() {
        left = Long.MAX_VALUE;
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
            throw refusal.get();
        }
        return count;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
