package svc.database.network;

import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * Sockets that connect to addresses in {@link ServerNetworks} only. Public for the driver, which makes it by its name
 * and connects the sockets itself, to the address that its one look-up of the host gave.
 */
public final class CheckedSockets extends SocketFactory {
    private final ServerNetworks networks;

    /** @param networks as {@link ServerNetworks#text} */
    public CheckedSockets(String networks) {
        this.networks = ServerNetworks.parse(networks);
    }

    @Override
    public Socket createSocket() {
        return new CheckedSocket(new Socket(), networks);
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
