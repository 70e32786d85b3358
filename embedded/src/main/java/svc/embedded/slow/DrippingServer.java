package svc.embedded.slow;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends the beginning of an answer to each connection, and then pieces of the same text without end. A client whose only limit
 * is one of silence, or of the head of an answer, stays connected for ever.
 */
public final class DrippingServer implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int DRIP_MILLIS = 100;
    private static final int FLOOD_BYTES = 16 << 10;

    private final ServerSocket server;
    private final byte[] head;
    private final byte[] piece;
    private final int pauseMillis;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger maxOpen = new AtomicInteger();
    private final AtomicLong sent = new AtomicLong();

    private DrippingServer(String head, byte[] piece, int pauseMillis) {
        try {
            this.server = new ServerSocket(0, BACKLOG, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException("while opening a port", e);
        }
        this.head = head.getBytes(StandardCharsets.US_ASCII);
        this.piece = piece;
        this.pauseMillis = pauseMillis;
        Thread.ofPlatform().daemon().name("dripping-server").start(this::accept);
    }

    /** A byte every 100 ms behind the head. */
    public static DrippingServer start(String head) {
        return new DrippingServer(head, new byte[] {'x'}, DRIP_MILLIS);
    }

    /** As many bytes behind the head as the client takes. */
    public static DrippingServer flooding(String head) {
        return new DrippingServer(head, "x".repeat(FLOOD_BYTES).getBytes(StandardCharsets.US_ASCII), 0);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket connection = server.accept();
                accepted.incrementAndGet();
                open.add(connection);
                maxOpen.accumulateAndGet(open.size(), Math::max);
                Thread.ofVirtual().start(() -> drip(connection));
            } catch (IOException e) {
                // Closed, or a client that left at once.
            }
        }
    }

    private void drip(Socket connection) {
        try (connection) {
            OutputStream out = connection.getOutputStream();
            out.write(head);
            while (true) {
                out.write(piece);
                sent.addAndGet(piece.length);
                Thread.sleep(pauseMillis);
            }
        } catch (IOException e) {
            // The client has ended the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(connection);
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port() + "/";
    }

    /** Connections that were accepted since the start. */
    public int accepted() {
        return accepted.get();
    }

    /** Connections that neither side has ended. */
    public int open() {
        return open.size();
    }

    /** Most connections that were open at once. */
    public int maxOpen() {
        return maxOpen.get();
    }

    /** Bytes behind the heads that the connections have taken, those in their buffers included. */
    public long sent() {
        return sent.get();
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket connection : open) {
                connection.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("while closing", e);
        }
    }
}
