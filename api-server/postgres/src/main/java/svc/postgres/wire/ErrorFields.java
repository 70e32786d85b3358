package svc.postgres.wire;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Collects the fields of one ErrorResponse, each a letter and a text. A script decides how long its texts are, up to the
 * server's gigabyte, so each is cut while it arrives.
 */
public final class ErrorFields implements ServerMessages.Pieces {
    private final int maxTextBytes;
    private final Map<Character, String> fields = new HashMap<>();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private char key;
    private boolean ended;

    /** @param maxTextBytes kept of each text */
    public ErrorFields(int maxTextBytes) {
        this.maxTextBytes = maxTextBytes;
    }

    @Override
    public void piece(ByteBuf in, int length) {
        int end = in.readerIndex() + length;
        while (!ended && in.readerIndex() < end) {
            if (key == 0) {
                key = (char) in.readUnsignedByte();
                ended = key == 0;
            } else {
                addText(in, end);
            }
        }
        in.readerIndex(end);
    }

    private void addText(ByteBuf in, int end) {
        int from = in.readerIndex();
        int nul = in.indexOf(from, end, (byte) 0);
        int available = (nul < 0 ? end : nul) - from;
        byte[] kept = new byte[Math.min(available, maxTextBytes - text.size())];
        in.getBytes(from, kept);
        text.writeBytes(kept);
        if (nul < 0) {
            in.readerIndex(end);
        } else {
            in.readerIndex(nul + 1);
            fields.put(key, text.toString(StandardCharsets.UTF_8));
            text.reset();
            key = 0;
        }
    }

    /** By their letters, see PostgreSQL's "Error and Notice Message Fields". */
    public Map<Character, String> fields() {
        return Map.copyOf(fields);
    }
}
