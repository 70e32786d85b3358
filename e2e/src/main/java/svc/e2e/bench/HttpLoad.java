package svc.e2e.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Readers that ask one after the other over a connection each. It does the least an HTTP/1.1 client can, because it runs
 * on the cores of what it measures.
 *
 * @param origin scheme, host and port
 * @param path with {@code %d} where the key goes, 1 to {@code keys}
 */
record HttpLoad(URI origin, String path, String apiKey, int keys, int connections) {
    /** Answers per second. @throws IOException when an answer is not a row */
    double run(Duration time) throws Exception {
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        var readers = new ArrayList<Callable<Long>>();
        for (int i = 0; i < connections; i++) {
            readers.add(() -> readUntil(end));
        }
        try (var threads = Executors.newFixedThreadPool(connections)) {
            long answers = 0;
            for (Future<Long> reader : threads.invokeAll(readers)) {
                answers += reader.get();
            }
            return answers / ((System.nanoTime() - begin) / 1e9);
        }
    }

    private long readUntil(long end) throws IOException {
        try (var socket = new Socket(origin.getHost(), origin.getPort())) {
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            long answers = 0;
            while (System.nanoTime() < end) {
                int key = ThreadLocalRandom.current().nextInt(keys) + 1;
                String request = "GET " + path.formatted(key) + " HTTP/1.1\r\nHost: " + origin.getAuthority()
                        + "\r\napikey: " + apiKey + "\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                expectRow(in, key);
                answers++;
            }
            return answers;
        }
    }

    private static void expectRow(InputStream in, int key) throws IOException {
        String status = line(in);
        int length = -1;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring(header.indexOf(':') + 1).strip());
            }
        }
        String body = length < 0 ? "(no length)" : new String(in.readNBytes(length), StandardCharsets.UTF_8);
        if (!status.contains(" 200 ") || !body.startsWith("[{\"id\":" + key + ",")) {
            throw new IOException("not the row " + key + ": " + status + " " + body);
        }
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the server closed the connection after: " + line);
            }
            line.append((char) c);
        }
        return line.toString().stripTrailing();
    }
}
