package svc.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import org.eclipse.microprofile.config.ConfigProvider;

/** An open connection to the server under test, for a client that sends half of what it says or reads nothing. */
public final class RawConnection implements AutoCloseable {
    private static final int TIMEOUT_MS = 30_000;

    private final Socket socket;

    private RawConnection(Socket socket) {
        this.socket = socket;
    }

    public static RawConnection open() {
        return open(0);
    }

    /** @param receiveBuffer how many bytes the system accepts for a client that does not read; 0 for the default */
    public static RawConnection open(int receiveBuffer) {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        Socket socket = new Socket();
        try {
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.setSoTimeout(TIMEOUT_MS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return new RawConnection(socket);
        } catch (IOException e) {
            throw new UncheckedIOException("while connecting", e);
        }
    }

    /** Sends the characters as bytes; what the server no longer takes is dropped. */
    public RawConnection send(String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
        } catch (SocketException e) {
            // The server has answered and closed.
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException("while sending", e);
        }
        return this;
    }

    /** The first answer up to the end of its body, or what came before the connection broke. */
    public String answer() {
        StringBuilder read = new StringBuilder();
        try {
            InputStream in = socket.getInputStream();
            while (!isWhole(read)) {
                int next = in.read();
                if (next < 0) {
                    return read.toString();
                }
                read.append((char) next);
            }
        } catch (SocketException e) {
            return read.toString();
        } catch (IOException e) {
            throw new UncheckedIOException("after " + read, e);
        }
        return read.toString();
    }

    /** Waits until the server closes the connection, and drops what it sends before. */
    public void awaitClose() {
        try {
            InputStream in = socket.getInputStream();
            while (in.read(new byte[1 << 16]) >= 0) {
                continue;
            }
        } catch (SocketException e) {
            // Closed with bytes left unread.
            return;
        } catch (IOException e) {
            throw new UncheckedIOException("the connection stays open", e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("while closing", e);
        }
    }

    private static boolean isWhole(StringBuilder read) {
        int head = read.indexOf("\r\n\r\n");
        if (head < 0) {
            return false;
        }
        for (String line : read.substring(0, head).split("\r\n")) {
            if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                return read.length()
                        >= head + 4 + Integer.parseInt(line.substring(15).strip());
            }
        }
        return false;
    }
}
