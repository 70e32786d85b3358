package svc.e2e.mutated;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An answer as it came over the socket.
 *
 * @param headers by their names in lower case; the last of equal names
 */
record Received(int status, Map<String, String> headers, byte[] body) {
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final int SHOWN = 1_000;

    /**
     * Reads one answer, past those that only announce it.
     *
     * @throws EOFException when the connection ends before it
     */
    static Received from(InputStream in, String method) throws IOException {
        while (true) {
            String[] start = line(in).split(" ", 3);
            if (start.length < 2 || !start[0].startsWith("HTTP/1.")) {
                throw new IOException("no answer, but " + String.join(" ", start));
            }
            int status = Integer.parseInt(start[1]);
            Map<String, String> headers = headers(in);
            if (status >= 200) {
                return new Received(status, headers, body(in, method, status, headers));
            }
        }
    }

    private static Map<String, String> headers(InputStream in) throws IOException {
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IOException("no header: " + line);
            }
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    private static byte[] body(InputStream in, String method, int status, Map<String, String> headers)
            throws IOException {
        if (method.equals("HEAD") || status == NO_CONTENT || status == NOT_MODIFIED) {
            return new byte[0];
        }
        if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
            return chunks(in);
        }
        String length = headers.get("content-length");
        return length == null ? in.readAllBytes() : exactly(in, Integer.parseInt(length));
    }

    private static byte[] chunks(InputStream in) throws IOException {
        var whole = new java.io.ByteArrayOutputStream();
        while (true) {
            int length = Integer.parseInt(line(in).split(";")[0], 16);
            whole.writeBytes(exactly(in, length));
            line(in);
            if (length == 0) {
                return whole.toByteArray();
            }
        }
    }

    private static byte[] exactly(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the connection ended within the answer's body");
        }
        return bytes;
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended" + (line.isEmpty() ? "" : " after " + line));
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    boolean endsItsConnection() {
        return header("connection").filter("close"::equalsIgnoreCase).isPresent();
    }

    /** Whether one of the words is in the body. */
    boolean mentions(List<String> words) {
        String text = text();
        return words.stream().anyMatch(text::contains);
    }

    @Override
    public String toString() {
        String text = text();
        return status + " " + headers + "\n" + (text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text);
    }
}
