package svc.postgres.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import svc.database.socket.UnconnectedSockets;

/**
 * Makes the driver's sockets from channels, which an event loop can take over. Public for the driver, which makes it by
 * its name.
 */
public final class ChannelSockets extends UnconnectedSockets {
    @Override
    public Socket createSocket() {
        try {
            return SocketChannel.open().socket();
        } catch (IOException e) {
            throw new UncheckedIOException("while making a socket", e);
        }
    }
}
