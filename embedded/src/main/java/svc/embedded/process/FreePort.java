package svc.embedded.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds a TCP port on the loopback interface that nobody listens on at the moment of asking. */
public final class FreePort {
    private FreePort() {}

    /** The given port if nobody listens on it, else any free one; 0 stands for no preference. */
    public static int preferring(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            return find();
        }
    }

    /** A port between 1024 and 65535; another process may still take it before the caller does. */
    public static int find() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("while looking for a free port", e);
        }
    }
}
