package svc.realtime.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * A complete WebSocket frame of a server (RFC 6455, 5.2), encoded once and shared by all its receivers. Bytes are never
 * written to.
 */
public final class Frame {
    private static final int TEXT = 0x81;
    private static final int BINARY = 0x82;
    private static final int SHORT = 126;
    private static final int LONG = 127;

    private final byte[] bytes;

    private Frame(int kind, byte[] payload) {
        byte[] head = head(kind, payload.length);
        this.bytes = new byte[head.length + payload.length];
        System.arraycopy(head, 0, bytes, 0, head.length);
        System.arraycopy(payload, 0, bytes, head.length, payload.length);
    }

    public static Frame text(String text) {
        return new Frame(TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    public static Frame binary(byte[] payload) {
        return new Frame(BINARY, payload);
    }

    /** In bytes. */
    public int length() {
        return bytes.length;
    }

    /** For one receiver. */
    public ByteBuf bytes() {
        return Unpooled.wrappedBuffer(bytes);
    }

    private static byte[] head(int kind, int length) {
        if (length < SHORT) {
            return new byte[] {(byte) kind, (byte) length};
        }
        if (length < 1 << 16) {
            return new byte[] {(byte) kind, SHORT, (byte) (length >> 8), (byte) length};
        }
        return new byte[] {
            (byte) kind,
            LONG,
            0,
            0,
            0,
            0,
            (byte) (length >> 24),
            (byte) (length >> 16),
            (byte) (length >> 8),
            (byte) length
        };
    }
}
