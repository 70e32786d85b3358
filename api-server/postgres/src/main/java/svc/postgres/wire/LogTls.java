package svc.postgres.wire;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Properties;
import javax.net.ssl.SSLSocket;
import org.postgresql.ssl.LibPQFactory;
import org.postgresql.util.PSQLException;

/**
 * Makes the driver's TLS for reading the log, with the driver's own rules of trust: what TLS has decrypted is cut to the length
 * that {@link LogSockets} allows. Public for the driver, which makes it by its name.
 */
public final class LogTls extends LibPQFactory {
    /** @param properties of the connection, among them the files of certificates */
    public LogTls(Properties properties) throws PSQLException {
        super(properties);
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        var encrypted = (SSLSocket) super.createSocket(socket, host, port, autoClose);
        return new ReadThrough(
                encrypted,
                in -> ShortenedMessages.withoutQuestion(
                        new BufferedInputStream(in, LogSockets.BUFFER), LogSockets.MAX_MESSAGE));
    }
}
