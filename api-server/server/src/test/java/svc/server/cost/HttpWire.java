package svc.server.cost;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * A connection to the server under test that is opened again when the server has closed it. All of its work is the calling
 * thread's, which is not measured.
 */
final class HttpWire implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 90_000;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int LARGE = 1 << 16;

    private Socket socket;
    private InputStream in;
    private boolean used;

    /** @return the status; 0 if the server closed the connection without an answer */
    int send(byte[] request) {
        try {
            return sent(request);
        } catch (IOException e) {
            close();
            return 0;
        }
    }

    /** Whether the request was worked on: another status than that of a limit. */
    boolean work(byte[] request) {
        return send(request) != TOO_MANY_REQUESTS;
    }

    private int sent(byte[] request) throws IOException {
        if (socket == null) {
            connect();
        }
        boolean head = request[0] == 'H';
        try {
            socket.getOutputStream().write(request);
            return answer(head);
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("no answer to " + new String(request, 0, 80, StandardCharsets.ISO_8859_1), e);
        } catch (IOException e) {
            // A kept connection may end before the request is read.
            if (!used) {
                throw e;
            }
            close();
            return sent(request);
        }
    }

    private void connect() throws IOException {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        socket = new Socket();
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new BufferedInputStream(socket.getInputStream(), LARGE);
        used = false;
    }

    private int answer(boolean head) throws IOException {
        String line = line();
        int status = Integer.parseInt(line.substring(9, 12));
        long length = -1;
        boolean chunked = false;
        boolean closes = false;
        boolean endless = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(lower.substring(15).strip());
            }
            chunked |= lower.startsWith("transfer-encoding:") && lower.contains("chunked");
            closes |= lower.startsWith("connection:") && lower.contains("close");
            endless |= lower.startsWith("content-type:") && lower.contains("event-stream");
        }
        if (status == 100) {
            return answer(head);
        }
        if (endless) {
            closes = true;
        } else if (!head && status != 204 && status != 304) {
            if (chunked) {
                chunks();
            } else if (length < 0) {
                in.transferTo(java.io.OutputStream.nullOutputStream());
            } else {
                in.skipNBytes(length);
            }
        }
        used = true;
        if (closes) {
            close();
        }
        return status;
    }

    private void chunks() throws IOException {
        for (int length = length(line()); length > 0; length = length(line())) {
            in.skipNBytes(length + 2L);
        }
        while (!line().isEmpty()) {
            continue;
        }
    }

    private static int length(String line) {
        return Integer.parseInt(line.strip(), 16);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        if (socket == null) {
            return;
        }
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("while closing", e);
        } finally {
            socket = null;
        }
    }
}
