package svc.postgres.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.Socket;
import svc.platform.memory.ByteBudget;

/** A session over a socket with a blocking interface only, such as the driver's TLS: a virtual thread reads it. */
final class ThreadWire extends Wire {
    private static final int PIECE = 1 << 14;

    private final Socket socket;

    /** @param socket logged in, and read only here from now on */
    ThreadWire(Socket socket, long maxAnswerBytes, ByteBudget.Account memory) {
        super(maxAnswerBytes, memory);
        this.socket = socket;
        Thread.ofVirtual().name("svc-db-tls").start(this::read);
    }

    private void read() {
        byte[] piece = new byte[PIECE];
        try {
            for (int count = socket.getInputStream().read(piece);
                    count >= 0;
                    count = socket.getInputStream().read(piece)) {
                received(Unpooled.wrappedBuffer(piece, 0, count));
            }
            endOfStream();
        } catch (IOException e) {
            fail(e);
        }
    }

    @Override
    void write(ByteBuf written) {
        byte[] bytes = ByteBufUtil.getBytes(written);
        written.release();
        Thread.ofVirtual().name("svc-db-tls-write").start(() -> {
            try {
                socket.getOutputStream().write(bytes);
                socket.getOutputStream().flush();
            } catch (IOException e) {
                fail(e);
            }
        });
    }

    @Override
    public void close() {
        byte[] bytes = ByteBufUtil.getBytes(terminateMessage());
        Thread.ofVirtual().start(() -> {
            try (socket) {
                socket.getOutputStream().write(bytes);
                socket.getOutputStream().flush();
            } catch (IOException e) {
                fail(e);
            }
        });
    }

    @Override
    void disconnect() {
        // Closing a TLS socket sends a message first, and may block.
        Thread.ofVirtual().start(() -> {
            try {
                socket.close();
            } catch (IOException e) {
                fail(e);
            }
        });
    }
}
