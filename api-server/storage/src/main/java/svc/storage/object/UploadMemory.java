package svc.storage.object;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import svc.platform.memory.ByteBudget;
import svc.storage.body.BodyReader;

/**
 * The memory of one upload. Before the caller's right is known it is what has arrived, of the strangers' account, because
 * anyone can begin an upload; then it is a part of the file, of the project's. For the thread of the upload.
 */
final class UploadMemory implements AutoCloseable {
    private static final int STEP = 16 << 10;

    /** What a {@link BodyReader} keeps of a body that is not read. */
    private static final int BUFFERED = 128 << 10;

    private final ByteBudget.Account account;
    private final BodyReader body;
    private final long whole;
    private final List<ByteBudget.Permit> permits = new ArrayList<>();
    private long uncharged;
    private boolean reserved;

    /** @param whole bytes that the upload holds once the right is known */
    UploadMemory(ByteBudget.Account account, BodyReader body, long whole) {
        this.account = account;
        this.body = body;
        this.whole = whole;
    }

    /** The body, of which each byte is charged that is read before {@link #reserve}. */
    InputStream arriving() {
        permits.add(Waiting.forMemory(account.ofStrangers(), BUFFERED));
        body.begin();
        return new FilterInputStream(body) {
            @Override
            public int read() throws IOException {
                charge(1);
                return in.read();
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                int count = in.read(target, offset, length);
                charge(Math.max(0, count));
                return count;
            }
        };
    }

    private void charge(int count) {
        if (reserved) {
            return;
        }
        uncharged += count;
        if (uncharged > 0) {
            long steps = (uncharged + STEP - 1) / STEP * STEP;
            permits.add(Waiting.forMemory(account.ofStrangers(), steps));
            uncharged -= steps;
        }
    }

    /** The right is known: waits for the memory, and lets the client send. */
    void reserve() {
        permits.add(Waiting.forMemory(account, whole));
        reserved = true;
        body.begin();
    }

    @Override
    public void close() {
        permits.forEach(ByteBudget.Permit::close);
    }
}
