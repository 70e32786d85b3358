package svc.chart.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Lets pods in to a server that listens on this machine's loopback interface only. */
final class Forward implements AutoCloseable {
    private final ServerSocket listening;

    /** @param address of this machine, which must be up */
    Forward(String address, int port) throws IOException {
        listening = new ServerSocket();
        listening.bind(new InetSocketAddress(address, 0));
        Thread.ofVirtual().start(() -> accept(port));
    }

    int port() {
        return listening.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }

    private void accept(int port) {
        while (!listening.isClosed()) {
            try {
                Socket near = listening.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), port);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> copy(near, far));
                Thread.ofVirtual().start(() -> copy(far, near));
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    throw new UncheckedIOException("while letting a pod in", e);
                }
            }
        }
    }

    /** Until one side ends; then both. */
    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // The pod or the server is gone, which the other side learns by the end of its connection.
        }
    }
}
