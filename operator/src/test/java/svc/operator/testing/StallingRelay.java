package svc.operator.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** A way to a server of this machine on which everything waits while it is stalled, as behind a process that was stopped. */
public final class StallingRelay implements AutoCloseable {
    private static final int SOME = 16_384;

    private final ServerSocket entrance;
    private final int serverPort;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile CountDownLatch stall = new CountDownLatch(0);

    public StallingRelay(int serverPort) {
        this.serverPort = serverPort;
        try {
            this.entrance = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return entrance.getLocalPort();
    }

    /** Accepts connections from now on without a response. */
    public void stall() {
        stall = new CountDownLatch(1);
    }

    public void goOn() {
        stall.countDown();
    }

    /** Closes every connection there is; new ones are accepted. */
    public void cut() {
        for (Socket socket : open) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = entrance.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                open.add(client);
                open.add(server);
                Thread.ofVirtual().start(() -> carry(client, server));
                Thread.ofVirtual().start(() -> carry(server, client));
            }
        } catch (IOException closed) {
            // The end, by close().
        }
    }

    private void carry(Socket from, Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            byte[] some = new byte[SOME];
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                stall.await();
                out.write(some, 0, read);
            }
        } catch (IOException gone) {
            // One side has closed; so is the other now.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        goOn();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
