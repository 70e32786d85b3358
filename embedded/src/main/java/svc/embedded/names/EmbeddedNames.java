package svc.embedded.names;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A name server on this machine, for tests. It never answers for names that begin with {@code slow}; {@code good.*} is loopback, and
 * every other name a private address.
 */
public final class EmbeddedNames implements AutoCloseable {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final byte[] INSIDE = {10, 0, 0, 1};
    private static final int QUIET_MS = 200;

    private final AtomicInteger queries = new AtomicInteger();
    private final DatagramSocket socket;

    public EmbeddedNames() {
        try {
            socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("while starting a name server", e);
        }
        Thread.ofPlatform().daemon().name("names").start(this::serve);
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }

    /** So many have arrived. */
    public int queries() {
        return queries.get();
    }

    /** Returns when no more queries arrive: what comes next is not lost among them. */
    public void awaitQuiet() {
        int before = -1;
        while (before != queries.get()) {
            before = queries.get();
            try {
                Thread.sleep(QUIET_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private void serve() {
        try {
            while (true) {
                var packet = new DatagramPacket(new byte[512], 512);
                socket.receive(packet);
                queries.incrementAndGet();
                byte[] query = Arrays.copyOf(packet.getData(), packet.getLength());
                String name = new String(query, 13, query[12], StandardCharsets.US_ASCII);
                if (!name.startsWith("slow")) {
                    byte[] answer = answer(query, name.equals("good") ? LOOPBACK : INSIDE);
                    socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    /** RFC 1035 §4: the question again, and for type A one record that points to its name. */
    private static byte[] answer(byte[] query, byte[] address) {
        int end = 12;
        while (query[end] != 0) {
            end += query[end] + 1;
        }
        int question = end + 5;
        boolean ofTypeA = query[end + 2] == 1;
        var out = ByteBuffer.allocate(question + 16);
        out.put(query, 0, question);
        out.putShort(2, (short) 0x8180).putShort(6, (short) (ofTypeA ? 1 : 0));
        out.putShort(8, (short) 0).putShort(10, (short) 0);
        if (ofTypeA) {
            out.putShort((short) 0xC00C)
                    .putShort((short) 1)
                    .putShort((short) 1)
                    .putInt(60)
                    .putShort((short) 4);
            out.put(address);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    @Override
    public void close() {
        socket.close();
    }
}
