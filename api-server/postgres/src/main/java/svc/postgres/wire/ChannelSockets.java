package svc.postgres.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import javax.net.SocketFactory;
import svc.database.network.CheckedSocket;
import svc.database.network.ServerNetworks;

/**
 * Makes the driver's sockets from channels, which an event loop can take over. Public for the driver, which makes it by
 * its name.
 */
public final class ChannelSockets extends SocketFactory {
    private final Optional<ServerNetworks> networks;

    /** @param networks where the server may be, as {@link ServerNetworks#text}; null for a server of the platform's */
    public ChannelSockets(String networks) {
        this.networks = Optional.ofNullable(networks).map(ServerNetworks::parse);
    }

    @Override
    public Socket createSocket() {
        try {
            Socket socket = SocketChannel.open().socket();
            return networks.<Socket>map(allowed -> new CheckedSocket(socket, allowed))
                    .orElse(socket);
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
