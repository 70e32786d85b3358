package svc.chart.node;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that ask for the same again and again and never try a request twice. Some keep their connection until the server
 * says that it will close it; the others open one for each request.
 */
final class SteadyLoad implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int KEEPERS = 6;
    private static final int OPENERS = 2;
    private static final int SOME = 300;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final InetSocketAddress server;
    private final String head;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong answered = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> clients = new ArrayList<>();

    /**
     * Starts at once.
     *
     * @param head the request's first line and headers, each with its end of line
     */
    SteadyLoad(InetSocketAddress server, String head) {
        this.server = server;
        this.head = head;
        for (int i = 0; i < KEEPERS + OPENERS; i++) {
            boolean keeps = i < KEEPERS;
            clients.add(Thread.ofPlatform().start(() -> askUntilOver(keeps)));
        }
    }

    /** Waits for some hundred answers more. */
    void goesOn() throws InterruptedException {
        long now = answered();
        Waiting.until("the load goes on", LIMIT, () -> answered() > now + SOME);
    }

    /** Requests that were answered as they should. */
    long answered() {
        return answered.get();
    }

    /** Every other request: when, and what came instead of the answer. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void close() throws InterruptedException {
        over.set(true);
        for (Thread client : clients) {
            client.join();
        }
    }

    private void askUntilOver(boolean keeps) {
        byte[] request = (head + (keeps ? "\r\n" : "Connection: close\r\n\r\n")).getBytes(StandardCharsets.US_ASCII);
        while (!over.get()) {
            try (Socket socket = new Socket()) {
                socket.setSoTimeout(TIMEOUT_MILLIS);
                socket.setTcpNoDelay(true);
                socket.connect(server, TIMEOUT_MILLIS);
                var in = new BufferedInputStream(socket.getInputStream());
                boolean open = true;
                while (open && !over.get()) {
                    socket.getOutputStream().write(request);
                    open = readAnswer(in) && keeps;
                    answered.incrementAndGet();
                }
            } catch (IOException e) {
                failures.add(Instant.now() + " " + e);
            }
        }
    }

    /** @return whether the server keeps the connection
     * @throws IOException when it is no answer, or another than 200 */
    private static boolean readAnswer(InputStream in) throws IOException {
        String status = readLine(in);
        boolean open = true;
        int length = -1;
        boolean chunked = false;
        for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            String header = line.toLowerCase(Locale.ROOT);
            open &= !header.equals("connection: close");
            chunked |= header.equals("transfer-encoding: chunked");
            if (header.startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring("content-length:".length()).strip());
            }
        }
        String body = chunked ? readChunks(in) : readBytes(in, length);
        if (!status.startsWith("HTTP/1.1 200")) {
            throw new IOException(status + " " + body);
        }
        return open;
    }

    private static String readChunks(InputStream in) throws IOException {
        var body = new StringBuilder();
        int size = Integer.parseInt(readLine(in), 16);
        while (size > 0) {
            body.append(readBytes(in, size));
            readLine(in);
            size = Integer.parseInt(readLine(in), 16);
        }
        readLine(in);
        return body.toString();
    }

    private static String readBytes(InputStream in, int length) throws IOException {
        byte[] bytes = length < 0 ? in.readAllBytes() : in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the answer ends after " + bytes.length + " of " + length + " bytes");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String readLine(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended after: " + line);
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
