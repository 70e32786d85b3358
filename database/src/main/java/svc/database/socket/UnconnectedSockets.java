package svc.database.socket;

import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * A socket factory of PostgreSQL's driver, which asks for a socket that is not connected and connects it with its own time
 * limit. The methods that connect are refused: a socket of theirs would have no limit.
 */
public abstract class UnconnectedSockets extends SocketFactory {
    @Override
    public abstract Socket createSocket();

    @Override
    public final Socket createSocket(String host, int port) {
        throw connecting();
    }

    @Override
    public final Socket createSocket(String host, int port, InetAddress local, int localPort) {
        throw connecting();
    }

    @Override
    public final Socket createSocket(InetAddress host, int port) {
        throw connecting();
    }

    @Override
    public final Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
        throw connecting();
    }

    private static IllegalStateException connecting() {
        return new IllegalStateException("the driver connects its sockets itself");
    }
}
