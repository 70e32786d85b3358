package svc.embedded.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Consumer;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.log.PodLog;

/**
 * Reads what a process writes. Lines with the key are the runner's own; everything else may come from the function, which
 * shares the output, and is logged as the function's output.
 */
final class OutputReader {
    private static final int MAX_LINE_BYTES = 64 << 10;

    private final String key;
    private final PodLog log;
    private final Consumer<JsonNode> onOwnLine;
    private final Consumer<String> onForeignLine;

    /**
     * @param onOwnLine is given the runner's own lines, parsed
     * @param onForeignLine is given all others
     */
    OutputReader(String key, PodLog log, Consumer<JsonNode> onOwnLine, Consumer<String> onForeignLine) {
        this.key = key;
        this.log = log;
        this.onOwnLine = onOwnLine;
        this.onForeignLine = onForeignLine;
    }

    /** Reads to the end of the stream. */
    void read(InputStream output) {
        byte[] buffer = new byte[MAX_LINE_BYTES];
        int filled = 0;
        try (output) {
            for (int count = output.read(buffer, filled, buffer.length - filled);
                    count >= 0;
                    count = output.read(buffer, filled, buffer.length - filled)) {
                filled = lines(buffer, filled + count);
            }
        } catch (IOException e) {
            // The process is gone, and its pipe with it.
            return;
        }
        line(new String(buffer, 0, filled, StandardCharsets.UTF_8));
    }

    /** Removes complete lines from the buffer and moves the rest to its beginning. A full buffer counts as a line. */
    private int lines(byte[] buffer, int end) {
        int start = 0;
        for (int at = 0; at < end; at++) {
            if (buffer[at] == '\n') {
                line(new String(buffer, start, at - start, StandardCharsets.UTF_8));
                start = at + 1;
            }
        }
        if (start == 0 && end == buffer.length) {
            line(new String(buffer, StandardCharsets.UTF_8));
            return 0;
        }
        System.arraycopy(buffer, start, buffer, 0, end - start);
        return end - start;
    }

    private void line(String text) {
        if (text.isEmpty()) {
            return;
        }
        if (text.startsWith(key)) {
            String own = text.substring(key.length());
            try {
                JsonNode read = Json.parseOwn(own);
                log.append(Instant.now(), own);
                onOwnLine.accept(read);
                return;
            } catch (UncheckedIOException e) {
                // Interleaved with the function's own output.
            }
        }
        Instant now = Instant.now();
        ObjectNode said = Json.object().put("time", now.toString()).put("level", "info");
        // The key of a line that was cut must not become readable.
        said.put("event", "log").put("message", text.replace(key, ""));
        log.append(now, said.toString());
        onForeignLine.accept(text);
    }
}
