package svc.postgres.wire;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import svc.database.socket.UnconnectedSockets;

/**
 * Makes the driver's sockets for reading the log, which cut what is too long for a message: a tenant's row of hundreds of
 * megabytes must not exhaust the memory of a process that serves other projects. Public for the driver, which makes it by its
 * name. Under TLS {@link LogTls} does that.
 */
public final class LogSockets extends UnconnectedSockets {
    /** Longer changes lose values anyway; longer messages of the database are not broadcast. */
    static final int MAX_MESSAGE = 16 << 20;

    static final int BUFFER = 64 << 10;

    private static final class LogSocket extends Socket {
        private InputStream shortened;

        @Override
        public synchronized InputStream getInputStream() throws IOException {
            if (shortened == null) {
                shortened = new ShortenedMessages(new BufferedInputStream(super.getInputStream(), BUFFER), MAX_MESSAGE);
            }
            return shortened;
        }
    }

    @Override
    public Socket createSocket() {
        return new LogSocket();
    }
}
