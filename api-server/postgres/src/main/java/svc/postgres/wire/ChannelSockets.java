package svc.postgres.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import javax.net.SocketFactory;

/**
 * Makes the driver's sockets from channels, which an event loop can take over. Public for the driver, which makes it by
 * its name.
 */
public final class ChannelSockets extends SocketFactory {
    @Override
    public Socket createSocket() {
        try {
            return SocketChannel.open().socket();
        } catch (IOException e) {
            throw new UncheckedIOException("while making a socket", e);
        }
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException("the driver connects by itself");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException("the driver connects by itself");
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException("the driver connects by itself");
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException("the driver connects by itself");
    }
}
